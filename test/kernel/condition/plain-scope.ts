import type { Json, JsonObject } from '../../../src/kernel/base/json.ts';
import { ownField } from '../../../src/kernel/base/json.ts';
import type { Reference, Scope } from '../../../src/kernel/condition/types.ts';

/** A context of plain objects: one per root; sums under `effects` by their whole reference text, counts under `counts`. */
export type PlainContext = JsonObject;

export function plainScope(context: PlainContext): Scope {
  return {
    resolve: (reference) => resolved(context, reference),
    count: (relationship) => {
      const count = ownField(context['counts'], relationship);
      return typeof count === 'number' ? count : undefined;
    },
  };
}

function resolved(context: PlainContext, reference: Reference): Json | undefined {
  if (reference.root === 'now') return context['now'];
  if (reference.root === 'effects') return ownField(context['effects'], reference.text);
  const path = reference.root === 'related' ? ['related', reference.name, ...reference.path] : [reference.root, ...reference.path];
  return path.reduce<Json | undefined>(ownField, context);
}
