// Responsibility: the actor of a principal in this world: only roles that the pinned manifest permits this kind of actor to hold.
// Boundary: a key is checked when it is issued; a manifest that came later may define a role otherwise, so it is checked again here.
// Invariants: an agent never acts in a person's role, whatever its key says.
import { typeOf } from '../../src/kernel/index.ts';
import type { Actor, SealedWorld } from '../../src/kernel/index.ts';
import type { Principal } from '../../src/protocol/rpc.ts';

export function actorIn(sealed: SealedWorld, principal: Principal): Actor {
  const kind = typeOf(principal.actor);
  const { roles } = sealed.manifest;
  const held = principal.roles.filter((role) => Object.hasOwn(roles, role) && roles[role]?.kinds.some((each) => each === kind));
  return { id: principal.actor, roles: held };
}
