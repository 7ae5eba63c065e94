// Which kinds of actor may hold which role, over every manifest of the deployment. An agent's credential can never hold a person's role.
import type { ActorKind, RoleDefinition } from '../kernel/index.ts';
import { actorKind } from '../protocol/names.ts';
import type { ManifestEntry, ManifestRegistry } from '../protocol/registry.ts';

export type RoleDefect = 'unknown_role' | 'role_not_for_actor';

type Roles = Readonly<Record<string, RoleDefinition>>;

const read = new WeakMap<ManifestEntry, Roles>();

function rolesOf(entry: ManifestEntry): Roles {
  const known = read.get(entry);
  if (known !== undefined) return known;
  const { roles } = JSON.parse(entry.text) as { readonly roles: Roles };
  read.set(entry, roles);
  return roles;
}

/** Why the actor may not hold the role, or null. Where several manifests know the role, every one of them must permit the actor. */
export function roleDefect(registry: ManifestRegistry, actor: string, role: string): RoleDefect | null {
  const definitions = registry.map(rolesOf).flatMap((roles) => (Object.hasOwn(roles, role) ? [roles[role]] : []));
  if (definitions.length === 0) return 'unknown_role';
  const kind = actorKind(actor) as ActorKind;
  return definitions.every((definition) => definition?.kinds.includes(kind)) ? null : 'role_not_for_actor';
}
