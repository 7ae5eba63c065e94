// SPEC K6: a log replays to the same head by the manifest alone, and no field of a record can be changed unseen (design §12).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decide,
  hashOf,
  isJsonObject,
  makeRecord,
  replay,
  verifyChain,
  type Input,
  type Json,
  type JsonObject,
  type TransitionRecord,
} from '../../../src/kernel/index.ts';
import { agent, ann, Desk, sealedDesk } from '../transition/desk.ts';
import { sealedScoped } from '../transition/edited.ts';
import { LONG_MS, runs } from './runs.ts';
import { moves, Simulation } from './simulator.ts';

/** A log with every kind of input that a small history has. */
function shortLog(): readonly TransitionRecord[] {
  const desk = Desk.open();
  const { attempt, approval } = desk.parked('Order:1', 6000);
  desk.must('approval.grant', approval, {}, { by: ann });
  desk.evidence(attempt, 'unclear');
  desk.pass(20_000);
  desk.readBack(attempt, 'absent');
  const again = desk.refund('Order:1', 100, { by: agent });
  desk.evidence(again.attempt, 'landed');
  desk.refund('Order:1', 90_000);
  desk.step({ kind: 'advance', at: desk.at, actor: ann, advanceMs: 5 });
  return desk.log;
}

const LOG = shortLog();

/** Every place in a value, as a path. */
function pathsOf(value: unknown, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item, index) => pathsOf(item, [...path, index]))];
  if (typeof value === 'object' && value !== null) return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
  return [path];
}

function different(value: unknown): Json {
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 0;
  return Array.isArray(value) ? [...(value as Json[]), 0] : { ...(value as JsonObject), added: 0 };
}

function changedAt<T>(value: T, path: readonly (string | number)[]): T {
  const copy = structuredClone(value);
  const [last] = path.slice(-1);
  let at = copy as unknown as { [key: string | number]: unknown };
  for (const step of path.slice(0, -1)) at = at[step] as { [key: string | number]: unknown };
  if (last !== undefined) at[last] = different(at[last]);
  return copy;
}

/** As somebody would who can compute hashes: the record is changed, and every hash and link after it is made anew. */
function forged(log: readonly TransitionRecord[], index: number, change: (record: TransitionRecord) => TransitionRecord): readonly TransitionRecord[] {
  const out = log.slice(0, index);
  for (const [offset, record] of log.slice(index).entries()) {
    const changed = offset === 0 ? change(record) : record;
    const linked = { ...changed, prev: out.at(-1)?.hash ?? changed.prev };
    out.push({ ...linked, hash: hashOf(linked) });
  }
  return out;
}

describe('a log', () => {
  it('verifies and replays', () => {
    expect(verifyChain(LOG)).toBeUndefined();
    expect(replay(sealedDesk, LOG)).toMatchObject({ defect: undefined, head: { sequence: LOG.length, hash: LOG.at(-1)?.hash } });
  });

  it('has records that name the manifest, the semantics, and the record before', () => {
    for (const [index, record] of LOG.entries()) {
      expect(record).toMatchObject({ sequence: index + 1, manifest: sealedDesk.hash, kernel: 1, prev: LOG[index - 1]?.hash ?? `sha256:${'0'.repeat(64)}` });
    }
  });

  it('replays from its JSON text alone', () => {
    const parsed = JSON.parse(JSON.stringify(LOG)) as readonly TransitionRecord[];
    expect(replay(sealedDesk, parsed).defect).toBeUndefined();
  });

  it('made into text is the record, byte for byte', () => {
    const desk = Desk.open();
    const input = desk.input('order.refund', 'Order:1', { amountCents: 100, reason: 'duplicate' });
    const { record, text } = makeRecord(desk.state.head(), sealedDesk.hash, input, decide(sealedDesk, desk.state, input));
    expect(JSON.parse(text)).toEqual(record);
    expect(hashOf(JSON.parse(text) as TransitionRecord)).toBe(record.hash);
  });

  it('does not replay under another manifest', () => {
    expect(replay(sealedScoped, LOG).defect).toEqual({ sequence: 1, code: 'other_manifest' });
  });

  it('that does not begin with a birth does not replay', () => {
    expect(replay(sealedDesk, LOG.slice(1)).defect).toEqual({ sequence: 1, code: 'no_genesis' });
    expect(replay(sealedDesk, []).defect).toEqual({ sequence: 1, code: 'no_genesis' });
  });
});

describe('tampering is found', () => {
  it(
    'in any field of any record',
    () => {
      for (const [index, record] of LOG.entries()) {
        const unseen = pathsOf(record).filter((path) => {
          const tampered = changedAt(record, path);
          return path.length > 0 && hashOf(tampered) === tampered.hash;
        });
        expect(unseen, `record ${index + 1}`).toEqual([]);
        for (const field of Object.keys(record))
          expect(verifyChain(LOG.with(index, changedAt(record, [field]))), `record ${index + 1}: ${field}`).toMatchObject({ sequence: index + 1 });
      }
    },
    LONG_MS,
  );

  it('where a field is taken away', () => {
    for (const [index, record] of LOG.entries()) {
      for (const part of ['input', 'decision'] as const) {
        for (const field of Object.keys(record[part])) {
          const { [field]: _gone, ...rest } = record[part];
          expect(verifyChain(LOG.with(index, { ...record, [part]: rest })), `record ${index + 1}: ${part} without ${field}`).toMatchObject({
            code: 'wrong_hash',
          });
        }
      }
    }
  });

  it.each([
    ['left out', (index: number) => LOG.toSpliced(index, 1), 'gap'],
    ['told twice', (index: number) => LOG.toSpliced(index, 0, ...LOG.slice(index, index + 1)), 'gap'],
    [
      'put before the one before it',
      (index: number) => [...LOG.slice(0, index - 1), ...LOG.slice(index, index + 1), ...LOG.slice(index - 1, index), ...LOG.slice(index + 1)],
      'gap',
    ],
  ] as const)('where a record is %s', (_how, tamper, code) => {
    for (let index = 1; index < LOG.length - 1; index += 1) expect(verifyChain(tamper(index))).toMatchObject({ code });
  });

  it('where a record was left out and all after it are numbered anew', () => {
    const renumbered = LOG.toSpliced(3, 1).map((record, index) => ({ ...record, sequence: index + 1 }));
    expect(verifyChain(renumbered)).toMatchObject({ sequence: 4, code: 'broken_link' });
  });

  it.each(['changes', 'decision', 'events'] as const)('by replay, where the %s of a record were changed and every hash made anew', (part) => {
    for (const [index, record] of LOG.entries()) {
      if (Array.isArray(record[part]) && record[part].length === 0) continue;
      const log = forged(LOG, index, (found) => ({
        ...found,
        [part]: Array.isArray(found[part]) ? found[part].slice(1) : { ...found[part], attempt: 'ActionAttempt:forged' },
      }));
      expect(verifyChain(log)).toBeUndefined();
      expect(replay(sealedDesk, log).defect, `record ${index + 1}`).toMatchObject({ sequence: index + 1 });
    }
  });

  it('by replay, where an input was changed and every hash made anew', () => {
    const index = LOG.findIndex(({ input }) => input['action'] === 'order.refund');
    const log = forged(LOG, index, (record) => ({
      ...record,
      input: { ...record.input, parameters: { valid: true, value: { amountCents: 7000, reason: 'duplicate' } } },
    }));
    expect(replay(sealedDesk, log).defect).toEqual({ sequence: index + 1, code: 'decided_otherwise' });
  });

  it(
    'in random histories, at random places',
    () => {
      fc.assert(
        fc.property(moves(40), fc.nat(), fc.nat(), (history, at, where) => {
          const { log } = new Simulation(new Desk()).run(history).desk;
          const index = at % log.length;
          const record = log[index];
          if (record === undefined) return;
          const paths = pathsOf(record).filter(({ length }) => length > 0);
          expect(verifyChain(log.with(index, changedAt(record, paths[where % paths.length] ?? ['hash'])))).toBeDefined();
        }),
        runs(40),
      );
    },
    LONG_MS,
  );
});

describe('what is in a log', () => {
  it('is canonical JSON: no undefined, no float, no date', () => {
    const plain = (value: unknown): boolean => {
      if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
      if (typeof value === 'number') return Number.isSafeInteger(value);
      if (Array.isArray(value)) return value.every(plain);
      return isJsonObject(value as Json) && Object.values(value as JsonObject).every(plain);
    };
    const inputs: readonly (Input | TransitionRecord)[] = LOG;
    for (const record of inputs) expect(plain(record)).toBe(true);
  });
});
