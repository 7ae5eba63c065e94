// Generates migrations/tenant from the tables of the tenant object: `drizzle-kit generate --config drizzle.tenant.config.ts`.
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  driver: 'durable-sqlite',
  schema: './durable-objects/tenant-schema.ts',
  out: './migrations/tenant',
});
