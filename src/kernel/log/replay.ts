// Responsibility: verifying a log (its chain) and replaying it (deciding every input again) to the same head hash.
// Boundary: works on records and a sealed manifest alone, in any runtime.
// Invariants: a log that replays was decided by these laws; the first difference is named by sequence.

import { canonical } from '../base/canonical.ts';
import type { Json } from '../base/json.ts';
import type { SealedWorld } from '../manifest/seal.ts';
import { decide } from '../transition/decide.ts';
import type { GenesisInput, Input } from '../transition/inputs.ts';
import { MemoryState, relationFields } from '../transition/memory-state.ts';
import { GENESIS_PREV } from '../transition/head.ts';
import { hashOf, makeRecord, type TransitionRecord } from './record.ts';

export interface LogDefect {
  readonly sequence: number;
  readonly code: 'gap' | 'broken_link' | 'wrong_hash' | 'other_manifest' | 'no_genesis' | 'decided_otherwise';
}

/** Checks sequence, links and hashes; the first defect, or undefined for a whole chain. */
export function verifyChain(records: readonly TransitionRecord[]): LogDefect | undefined {
  let prev = GENESIS_PREV;
  for (const [index, record] of records.entries()) {
    if (record.sequence !== index + 1) return { sequence: index + 1, code: 'gap' };
    if (record.prev !== prev) return { sequence: record.sequence, code: 'broken_link' };
    if (hashOf(record) !== record.hash) return { sequence: record.sequence, code: 'wrong_hash' };
    prev = record.hash;
  }
  return undefined;
}

export interface Replayed {
  readonly state: MemoryState | undefined;
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly defect: LogDefect | undefined;
}

/** Decides every input again over an empty state. The head hash must come out as it stands in the log. */
export function replay(sealed: SealedWorld, records: readonly TransitionRecord[]): Replayed {
  const [first] = records;
  const birth = first?.input as unknown as GenesisInput | undefined;
  if (first === undefined || birth === undefined || first.kind !== 'genesis') {
    return { state: undefined, head: { sequence: 0, hash: GENESIS_PREV }, defect: { sequence: 1, code: 'no_genesis' } };
  }
  const state = new MemoryState({ tenant: birth.tenant, world: birth.world, birthId: birth.birthId, relations: relationFields(sealed.manifest) });
  for (const record of records) {
    const at = { sequence: state.head().sequence, hash: state.head().hash };
    if (record.manifest !== sealed.hash) return { state, head: at, defect: { sequence: record.sequence, code: 'other_manifest' } };
    const input = record.input as unknown as Input;
    const decision = decide(sealed, state, input);
    const again = makeRecord(state.head(), sealed.hash, input, decision);
    if (again.record.hash !== record.hash) {
      const same = canonical(again.record.changes as unknown as Json) === canonical(record.changes as unknown as Json);
      return { state, head: at, defect: { sequence: record.sequence, code: same ? 'wrong_hash' : 'decided_otherwise' } };
    }
    state.apply(decision.changes, { sequence: again.record.sequence, hash: again.record.hash, at: input.at });
  }
  return { state, head: { sequence: state.head().sequence, hash: state.head().hash }, defect: undefined };
}
