// Responsibility: the parts of a manifest that stand alone: semantics number, versions, receipts, scenarios, budgets.
// Boundary: form was parts.ts's.
// Invariants: a manifest of a later kernel is not sealed by an earlier one.

import { KERNEL_VERSION } from '../../base/limits.ts';
import { pointer } from '../../base/text.ts';
import type { Findings } from './findings.ts';
import { mustBeDeclared, type Parts } from './parts.ts';

export function checkRest(parts: Parts, found: Findings): void {
  const { kernel, version, compatibleStateVersions, audit, scenarios } = parts.rest;
  if (kernel !== undefined && kernel > KERNEL_VERSION) found.error('/kernel', 'unknown_semantics', `${kernel}, this kernel has ${KERNEL_VERSION}`);
  if (version !== undefined && compatibleStateVersions?.includes(version) === false) found.error('/compatibleStateVersions', 'own_version_left_out', version);
  for (const [index, action] of (audit?.receipts ?? []).entries()) mustBeDeclared(parts, 'actions', { name: action, at: `/audit/receipts/${index}` }, found);
  const names = scenarios?.map(({ name }) => name) ?? [];
  for (const [index, name] of names.entries()) if (names.indexOf(name) < index) found.error(`/scenarios/${index}/name`, 'repeated', name);
  if (names.length === 0 && scenarios !== undefined) found.warning('/scenarios', 'no_scenario');
  const spent = new Set([...parts.actions.values()].flatMap(({ spends }) => spends ?? []));
  for (const name of parts.budgets.keys()) if (!spent.has(name)) found.warning(pointer('/budgets', name), 'never_used', name);
}
