// The tables of a tenant object. The SQL in migrations/tenant is generated from this file and only ever appended to.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** One row: that this tenant was created. */
export const tenants = sqliteTable('tenants', {
  name: text('name').primaryKey(),
  createdAt: integer('created_at').notNull(),
});

/** Credentials. Of the key itself only a digest is kept. */
export const keys = sqliteTable('keys', {
  id: text('id').primaryKey(),
  secretDigest: text('secret_digest').notNull(),
  actor: text('actor').notNull(),
  roles: text('roles', { mode: 'json' }).$type<readonly string[]>().notNull(),
  /** Null: every world of the tenant. */
  worlds: text('worlds', { mode: 'json' }).$type<readonly string[]>(),
  expiresAt: integer('expires_at'),
  createdAt: integer('created_at').notNull(),
});

/** The tenant's worlds, each pinned to the manifest that it was made under. */
export const worlds = sqliteTable('worlds', {
  world: text('world').primaryKey(),
  manifestName: text('manifest_name').notNull(),
  manifestVersion: text('manifest_version').notNull(),
  manifestHash: text('manifest_hash').notNull(),
  createdAt: integer('created_at').notNull(),
});
