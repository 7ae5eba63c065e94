// Responsibility: the worst-case size of the mandatory frame, proven against its budget (design §5, §11).
// Boundary: arithmetic over the manifest's limits; what an entry holds is in observation/sections.ts.
// Invariants: the bound is above what any state can make of it; the defect shows the arithmetic.

import type { Defect } from '../condition/types.ts';
import type { Manifest } from './types.ts';

/** Bytes of one entry: ids, codes, times, capped parameters. */
export const ENTRY_BYTES = 1_100;
/** Bytes of everything else that is mandatory: identity, task, location and neighbours, budgets, actions with one schema each. */
export const BASE_BYTES = 65_536;

/** Entries at most: unresolved and their blockers, approvals and their blockers. */
export function mandatoryBytes(manifest: Pick<Manifest, 'frame' | 'limits'>): number {
  const { unresolvedMax, approvalsMax } = manifest.limits;
  const entries = 2 * unresolvedMax + 2 * approvalsMax;
  return BASE_BYTES + entries * ENTRY_BYTES;
}

export function frameDefects(manifest: Pick<Manifest, 'frame' | 'limits'>): readonly Defect[] {
  const bytes = mandatoryBytes(manifest);
  const { maxBytes } = manifest.frame;
  if (bytes <= maxBytes) return [];
  const { unresolvedMax, approvalsMax } = manifest.limits;
  const sum = `${BASE_BYTES} + (2 * ${unresolvedMax} unresolved + 2 * ${approvalsMax} approvals) * ${ENTRY_BYTES} = ${bytes} bytes, above ${maxBytes}`;
  return [{ path: '/frame/maxBytes', code: 'mandatory_frame_too_large', detail: sum }];
}
