// Generates migrations/world from the tables of the world object: `drizzle-kit generate --config drizzle.world.config.ts`.
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  driver: 'durable-sqlite',
  schema: './durable-objects/world-schema.ts',
  out: './migrations/world',
});
