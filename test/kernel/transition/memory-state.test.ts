// The state in memory against the suite that every view passes.
import { describe } from 'vitest';
import { MemoryState } from '../../../src/kernel/index.ts';
import { RELATIONS, viewSuite } from './view-suite.ts';

describe('the state in memory', () => {
  viewSuite(async (test) => {
    const state = new MemoryState({ tenant: 't', world: 'w', birthId: 'b', relations: RELATIONS });
    test(state, (changes) => state.apply(changes, state.head()));
  });
});
