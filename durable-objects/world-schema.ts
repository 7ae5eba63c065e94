// The tables of a world object. Hot statements are raw SQL in store/objects.ts over exactly these columns; migrations are generated from here,
// and `STRICT` and `WITHOUT ROWID` (fewer pages per commit), which the generator does not know, are added to the generated SQL by hand.
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Birth and pin: tenant, world, birth id, manifest hash. */
export const birth = sqliteTable('birth', {
  one: integer('one').primaryKey(),
  tenant: text('tenant').notNull(),
  world: text('world').notNull(),
  birthId: text('birth_id').notNull(),
  manifest: text('manifest').notNull(),
});

export const objects = sqliteTable(
  'objects',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    revision: integer('revision').notNull(),
    state: text('state').notNull(),
    owner: text('owner').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    createdIn: integer('created_in').notNull(),
    changedIn: integer('changed_in').notNull(),
    counters: text('counters').notNull(),
    mark: text('mark'),
  },
  (table) => [
    // Most objects have no mark, and then no entry. Ids begin with the type, so that lists of a type are ranges of the key.
    index('objects_by_mark')
      .on(table.mark, table.changedIn, table.id)
      .where(sql`mark IS NOT NULL`),
    index('objects_by_change').on(table.changedIn, table.id),
  ],
);

/** To-one fields, the other way round. */
export const relations = sqliteTable(
  'relations',
  {
    toId: text('to_id').notNull(),
    type: text('type').notNull(),
    field: text('field').notNull(),
    fromId: text('from_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.toId, table.type, table.field, table.fromId] })],
);

/** The kernel's counters and exact indexes (src/kernel/transition/cells.ts). */
export const cells = sqliteTable('cells', { key: text('key').primaryKey(), value: text('value').notNull() });

export const timers = sqliteTable('timers', { kind: text('kind').notNull(), ref: text('ref').notNull(), at: integer('at').notNull() }, (table) => [
  primaryKey({ columns: [table.kind, table.ref] }),
  index('timers_by_time').on(table.at),
]);

/** The log: the wire record as text, chained by hash. */
export const transitions = sqliteTable('transitions', {
  sequence: integer('sequence').primaryKey(),
  at: integer('at').notNull(),
  kind: text('kind').notNull(),
  actor: text('actor').notNull(),
  hash: text('hash').notNull(),
  record: text('record').notNull(),
});

export const intents = sqliteTable('intents', {
  attempt: text('attempt').primaryKey(),
  correlationId: text('correlation_id').notNull(),
  createdAt: integer('created_at').notNull(),
  intent: text('intent').notNull(),
});

export const idempotency = sqliteTable(
  'idempotency',
  {
    actor: text('actor').notNull(),
    key: text('key').notNull(),
    bodyDigest: text('body_digest').notNull(),
    attempt: text('attempt').notNull(),
    createdAt: integer('created_at').notNull(),
    /** The kept answer as JSON; null while the effect is on its way. */
    response: text('response'),
  },
  (table) => [primaryKey({ columns: [table.actor, table.key] }), index('idempotency_by_age').on(table.createdAt)],
);

/** Raw bytes of the outside: protected, erasable; the log has only the salted digest. */
export const evidenceBodies = sqliteTable(
  'evidence_bodies',
  {
    digest: text('digest').primaryKey(),
    createdAt: integer('created_at').notNull(),
    integration: text('integration').notNull(),
    salt: text('salt').notNull(),
    body: text('body').notNull(),
  },
  (table) => [index('evidence_by_age').on(table.createdAt)],
);

export const deliveries = sqliteTable(
  'deliveries',
  {
    integration: text('integration').notNull(),
    deliveryId: text('delivery_id').notNull(),
    /** Real time, ms. */
    at: integer('at').notNull(),
    transition: integer('transition').notNull(),
  },
  (table) => [primaryKey({ columns: [table.integration, table.deliveryId] }), index('deliveries_by_age').on(table.at)],
);

/** An audit row per refused delivery, bounded: the oldest gives way. */
export const refusedDeliveries = sqliteTable('refused_deliveries', {
  number: integer('number').primaryKey({ autoIncrement: true }),
  integration: text('integration').notNull(),
  at: integer('at').notNull(),
  code: text('code').notNull(),
});

/** Encrypted secrets of connections, by the random reference that the world knows. */
export const secrets = sqliteTable('secrets', {
  ref: text('ref').primaryKey(),
  envelope: text('envelope').notNull(),
  createdAt: integer('created_at').notNull(),
});
