// Responsibility: the head of an empty log.
// Boundary: one constant, shared by stores and by the log.
// Invariants: the hash before the first record is 64 zeros.

import type { Head } from './state.ts';

export const GENESIS_PREV = `sha256:${'0'.repeat(64)}`;
export const GENESIS_HEAD: Head = { sequence: 0, hash: GENESIS_PREV, at: 0 };
