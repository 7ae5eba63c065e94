// The SQLite store in workerd: the suite that every view passes, rollback, and migrations that do not fit.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { applyMigrations, MigrationFault, type GeneratedMigrations } from '../../durable-objects/migrate.ts';
import { WorldStore } from '../../durable-objects/world-store.ts';
import { RELATIONS, viewSuite } from '../kernel/transition/view-suite.ts';

let made = 0;

/** Runs a test inside a world object that was never born, on a store of its own. */
function withStore<T>(test: (store: WorldStore, storage: DurableObjectStorage) => T): Promise<T> {
  made += 1;
  return runInDurableObject(env.WORLD.getByName(`store/${made}`), (_, { storage }) => {
    const store = new WorldStore(storage);
    store.transact(() => store.bear({ tenant: 't', world: 'w', birthId: 'b', manifest: 'sha256:0' }, RELATIONS));
    return test(store, storage);
  });
}

describe('the SQLite store', () => {
  viewSuite((test) => withStore((store) => test(store, (changes) => store.transact(() => store.apply(changes)))));

  it('keeps nothing of a transition that throws, in the tables and in memory', () =>
    withStore((store) => {
      store.transact(() => store.apply([{ cell: 'kept', value: 1 }]));
      const failing = (): void =>
        store.transact(() => {
          store.apply([{ cell: 'kept', value: 2 }, { timer: { kind: 'expiry', ref: 'Approval:1', at: 1 } }]);
          store.appendTransition({ sequence: 1, at: 1, kind: 'clock', actor: 'Clock:world', hash: 'sha256:1', text: '{}' });
          throw new Error('planted');
        });
      expect(failing).toThrow('planted');
      expect(store.cell('kept')).toBe(1);
      expect(store.head().sequence).toBe(0);
      expect(store.nextTimerAt()).toBeUndefined();
      store.transact(() => store.apply([{ cell: 'kept', value: 3 }]));
      expect(store.cell('kept')).toBe(3);
    }));

  it('says to another instance what it wrote', () =>
    withStore((store, storage) => {
      store.transact(() => store.apply([{ cell: 'kept', value: { a: [1] } }]));
      const later = new WorldStore(storage);
      expect(later.birth()).toEqual({ tenant: 't', world: 'w', birthId: 'b', manifest: 'sha256:0' });
      expect(later.cell('kept')).toEqual({ a: [1] });
    }));

  it('keeps audit rows of refused deliveries up to a bound, the newest', () =>
    withStore((store) => {
      for (let n = 0; n < 1100; n += 1) store.addRefusedDelivery({ integration: 'payments', at: n, code: 'signature_wrong' });
      const rows = store.refusedDeliveries(5000);
      expect(rows).toHaveLength(1000);
      expect(rows[0]?.at).toBe(1099);
    }));
});

describe('migrations', () => {
  const one: GeneratedMigrations = {
    journal: { entries: [{ idx: 0, tag: '0000_one' }] },
    migrations: { m0000: 'CREATE TABLE one (id TEXT PRIMARY KEY) STRICT;' },
  };
  const two: GeneratedMigrations = {
    journal: { entries: [...one.journal.entries, { idx: 1, tag: '0001_two' }] },
    migrations: { ...one.migrations, m0001: 'CREATE TABLE two (id TEXT) STRICT;\n--> statement-breakpoint\nCREATE INDEX two_id ON two (id);' },
  };

  function faultOf(run: () => void): unknown {
    try {
      run();
    } catch (error) {
      return error instanceof MigrationFault ? [error.code, error.migration] : error;
    }
    return undefined;
  }

  const inStorage = <T>(test: (storage: DurableObjectStorage) => T): Promise<T> => {
    made += 1;
    return runInDurableObject(env.WORLD.getByName(`migrations/${made}`), (_, { storage }) => test(storage));
  };

  it('are applied once, and later ones after them', () =>
    inStorage((storage) => {
      applyMigrations(storage, one);
      applyMigrations(storage, one);
      applyMigrations(storage, two);
      expect(storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('one', 'two', 'two_id') ORDER BY name").toArray()).toHaveLength(3);
    }));

  it('stop at one that was applied and is not known', () =>
    inStorage((storage) => {
      applyMigrations(storage, two);
      expect(faultOf(() => applyMigrations(storage, one))).toEqual(['unknown_migration', '0001_two']);
    }));

  it('stop at one whose text changed', () =>
    inStorage((storage) => {
      applyMigrations(storage, one);
      expect(faultOf(() => applyMigrations(storage, { ...one, migrations: { m0000: 'CREATE TABLE other (id TEXT) STRICT;' } }))).toEqual([
        'changed_migration',
        '0000_one',
      ]);
    }));

  it('leave nothing of one that fails', () =>
    inStorage((storage) => {
      const broken: GeneratedMigrations = {
        ...two,
        migrations: { ...two.migrations, m0001: 'CREATE TABLE half (id TEXT) STRICT;\n--> statement-breakpoint\nnonsense' },
      };
      expect(faultOf(() => applyMigrations(storage, broken))).toEqual(['failed', '0001_two']);
      expect(storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('one', 'half')").toArray()).toEqual([]);
    }));
});
