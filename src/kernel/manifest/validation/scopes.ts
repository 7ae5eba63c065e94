// Responsibility: scopes: `all`, `own`, or a path of to-one fields that ends at the actor (design §5).
// Boundary: which types a path can pass through; whether an object's path ends at an actor is asked of its state (ask.ts).
// Invariants: bounded hops; a path that can end at no actor is a defect, since it would hide everything from everybody.

import { LIMITS } from '../../base/limits.ts';
import { nearest } from '../../base/nearest.ts';
import { pointer } from '../../base/text.ts';
import type { Findings } from './findings.ts';
import { mustBeDeclared, type Parts } from './parts.ts';

const ACTORS = ['Agent', 'Operator', 'Person'];

interface ScopesAt {
  readonly name: string;
  readonly scope: { readonly [role: string]: string };
  readonly at: string;
}

export function checkScopes(parts: Parts, { name, scope, at }: ScopesAt, found: Findings): void {
  for (const [role, path] of Object.entries(scope)) {
    const where = pointer(at, role);
    mustBeDeclared(parts, 'roles', { name: role, at: where }, found);
    if (path === 'all' || path === 'own') continue;
    checkPath(parts, { from: name, steps: path.split('.'), at: where }, found);
  }
}

interface PathAt {
  readonly from: string;
  readonly steps: readonly string[];
  readonly at: string;
}

function checkPath(parts: Parts, { from, steps, at }: PathAt, found: Findings): void {
  if (steps.length > LIMITS.pathHopsMax) return found.error(at, 'too_many_hops', `${steps.length}, at most ${LIMITS.pathHopsMax}`);
  let types: readonly string[] = [from];
  for (const step of steps) {
    const next = new Set(types.flatMap((type) => leadsTo(parts, type, step)));
    if (next.size === 0)
      return found.error(
        at,
        'unknown_path',
        step,
        nearest(
          step,
          types.flatMap((type) => stepsFrom(parts, type)),
        ),
      );
    types = [...next];
  }
  if (!types.some((type) => ACTORS.includes(type))) return found.error(at, 'ends_at_no_actor', types.join(', '));
  return undefined;
}

/** Every type that a to-one field of a type may lead to. */
function leadsTo(parts: Parts, type: string, field: string): readonly string[] {
  return Object.values(parts.types.get(type)?.relationships ?? {}).flatMap((relationship) => {
    if (relationship.cardinality !== 'one' || relationship.field !== field) return [];
    return relationship.to.includes('*') ? [...parts.types.keys()] : relationship.to;
  });
}

function stepsFrom(parts: Parts, type: string): readonly string[] {
  return Object.values(parts.types.get(type)?.relationships ?? {}).flatMap((relationship) => (relationship.cardinality === 'one' ? [relationship.field] : []));
}
