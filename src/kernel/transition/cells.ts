// Responsibility: the keys and shapes of the kernel's own bookkeeping (counters and exact indexes).
// Boundary: names and types; who may change a cell is decided where it is written.
// Invariants: every lookup of a decision is by exact key, so its cost does not grow with the world (design §12).

import { digestHex } from '../base/digest.ts';
import { foldIdentity } from '../base/fold.ts';
import type { Json, JsonObject } from '../base/json.ts';

/** What a fence knows: the attempt in flight or in doubt, the approval asked for, tries used, retries a person added. */
export interface FenceCell {
  readonly open: string | null;
  readonly approval: string | null;
  readonly used: number;
  readonly additional: number;
  /** The approval that expired here last, shown as a blocker until it is asked for anew. */
  readonly expired: string | null;
}
export const EMPTY_FENCE: FenceCell = { open: null, approval: null, used: 0, additional: 0, expired: null };

/** What a signature knows across tasks: landed attempts, the last retry key and what it was made of, a denial. */
export interface SignatureCell {
  readonly landed: number;
  readonly recent: readonly string[];
  readonly retryKey: string | null;
  readonly parts: RetryParts | null;
  /** The sequence of the last try: only evidence that came after it is new. */
  readonly triedIn: number;
  readonly denial: { readonly approval: string; readonly evidence: number } | null;
}
export interface RetryParts {
  readonly revision: number;
  readonly conditions: string;
  readonly connection: number;
  readonly evidence: number;
}
export const EMPTY_SIGNATURE: SignatureCell = { landed: 0, recent: [], retryKey: null, parts: null, triedIn: 0, denial: null };

/** Epochs of one signature under one task, and the attempts that were sent. */
export interface ChainCell {
  readonly epoch: number;
  readonly sent: readonly string[];
}

export interface RetryCell {
  readonly used: number;
  readonly declined: boolean;
}

/** Sums over the attempts of an action on a target: counts, and totals of the declared amount. */
export interface SumCell {
  readonly landedCount: number;
  readonly landedTotal: number;
  readonly heldCount: number;
  readonly heldTotal: number;
}
export const EMPTY_SUM: SumCell = { landedCount: 0, landedTotal: 0, heldCount: 0, heldTotal: 0 };

/** The latest evidence about an object, and the latest that another signature produced. */
export interface EvidenceMark {
  readonly last: number;
  readonly by: string | null;
  readonly other: number;
}

/** What the kernel keeps beside an attempt, and nobody else sees. */
export interface AttemptCell {
  readonly signature: string;
  readonly fence: string;
  readonly chain: string;
  readonly epoch: number;
  readonly phase: 'none' | 'awaiting' | 'preflight' | 'sent' | 'reading' | 'done';
  readonly amount: number;
  readonly groups: readonly string[];
  readonly budget: string | null;
  /** The UTC day on which the amount landed, and so was spent. */
  readonly spentDay: string | null;
  readonly retryKey: string | null;
  /** What the try of this attempt still counts against: key and ceiling, the ceiling alone (a 429), or nothing. */
  readonly counted: 'whole' | 'ceiling' | 'none';
  readonly rank: number;
  readonly providerStatus: string | null;
  readonly sentAt: number | null;
  /** When a restart cut it off, world time: settle times run from the later of the two. */
  readonly cutAt: number | null;
  readonly doubtAt: number | null;
  readonly readBacks: number;
  readonly lastReadBackAt: number | null;
  readonly conflict: boolean;
  readonly approval: string | null;
  readonly proposerRoles: readonly string[];
  /** The evidence fields that landed, for the treatment that a reversal needs. */
  readonly evidence: JsonObject;
}

export const cellKeys = {
  fence: (fence: string) => `fence:${fence}`,
  signature: (signature: string) => `sig:${signature}`,
  chain: (chain: string) => `chain:${chain}`,
  retry: (key: string) => `retry:${key}`,
  sum: (action: string, target: string) => `sum:${action}:${target}`,
  group: (action: string, target: string, group: string) => `sum:${action}:${target}:${group}`,
  attempt: (id: string) => `attempt:${id}`,
  correlation: (id: string) => `corr:${id}`,
  refused: (key: string) => `refused:${key}`,
  refusals: (actor: string) => `refusals:${actor}`,
  done: (signature: string, task: string | null) => `done:${signature}:${task ?? '-'}`,
  landed: (task: string | null, action: string, target: string) => `landed:${task ?? '-'}:${action}:${target}`,
  evidence: (object: string) => `evidence:${object}`,
  unique: (type: string, field: string, value: Json) => `unique:${type}.${field}:${digestHex(value).slice(0, 32)}`,
  constant: (type: string, field: string) => `constant:${type}.${field}`,
  /** Tasks that require an effect on an object: whose way may have closed when it changes. */
  needing: (object: string) => `needing:${object}`,
  taskOpen: (task: string) => `task-open:${task}`,
  unresolved: 'unresolved',
  approvals: 'approvals',
  clock: 'clock',
  /** References (never values) of what a connection was made with. */
  secrets: (integration: string) => `secrets:${integration}`,
  completedOn: (object: string) => `completed:${object}`,
} as const;

/** The group of sums that an identity field's value belongs to. */
export function groupOf(field: string, value: Json): string {
  return `${field}=${digestHex(foldIdentity(value)).slice(0, 32)}`;
}
