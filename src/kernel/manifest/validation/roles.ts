// Responsibility: roles agree with what actors are: an agent's key never holds a person's role, and agents prove what they have seen.
// Boundary: the core's roles are compared in core.ts.
// Invariants: whatever an agent may hold, only agents may.

import { pointer } from '../../base/text.ts';
import type { Findings } from './findings.ts';
import type { Parts } from './parts.ts';

export function checkRoles(parts: Parts, found: Findings): void {
  for (const [name, role] of parts.roles) {
    if (!role.kinds.includes('Agent')) continue;
    const at = pointer('/roles', name);
    if (role.kinds.length > 1) found.error(pointer(at, 'kinds'), 'agents_share_a_role', name);
    if (!role.observes) found.error(pointer(at, 'observes'), 'agents_must_observe', name);
  }
}
