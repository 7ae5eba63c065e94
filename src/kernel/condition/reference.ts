// Responsibility: reference texts (`$target.x`, `$effects.order.refund.landedTotal`) taken apart.
// Boundary: form only; whether a path exists is check.ts's to say, what it holds is the scope's.
// Invariants: closed: a text that begins with `$` and is none of the forms is a defect, never a literal; parts and length are bounded.

import { LIMITS } from '../base/limits.ts';
import { nearest } from '../base/nearest.ts';
import { EFFECT_SUMS, type EffectSum, type Reference } from './types.ts';

/** Names that may stand between dots: fields, related objects, actions' parts, sums. */
export const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
/** Parts of one reference, its root included. */
export const REFERENCE_PARTS_MAX = 12;

const ROOTS = ['target', 'args', 'actor', 'task', 'related', 'evidence', 'attempt', 'made', 'now', 'effects'] as const;
type Root = (typeof ROOTS)[number];

export type ParsedReference =
  | { readonly reference: Reference; readonly defect?: undefined }
  | { readonly reference?: undefined; readonly defect: { readonly code: string; readonly detail: string; readonly suggestion?: string } };

/** Takes a reference apart. The text begins with `$` (and not with `$$`, which escapes a literal). */
export function parseReference(text: string): ParsedReference {
  if (text.length > LIMITS.pathLengthMax) return defect('reference_too_long', text);
  const [head = '', ...rest] = text.split('.');
  if (rest.length >= REFERENCE_PARTS_MAX) return defect('reference_too_long', text);
  const root = ROOTS.find((name) => head === `$${name}`);
  if (root === undefined) return defect('unknown_root', head, suggestedRoot(head));
  return parseRooted(root, rest, text);
}

function parseRooted(root: Root, rest: readonly string[], text: string): ParsedReference {
  if (root === 'now') return rest.length === 0 ? { reference: { root, text } } : defect('malformed_reference', text, '$now');
  if (root === 'effects') return parseEffects(null, rest, text);
  if (root === 'related') return parseRelated(rest, text);
  if (rest.length === 0 || !rest.every(isName)) return defect('malformed_reference', text);
  return { reference: { root, path: rest, text } };
}

function parseRelated(rest: readonly string[], text: string): ParsedReference {
  const [name, ...path] = rest;
  if (name === undefined || !isName(name)) return defect('malformed_reference', text);
  if (path[0] === '$effects') return parseEffects(name, path.slice(1), text);
  if (path.length === 0 || !path.every(isName)) return defect('malformed_reference', text);
  return { reference: { root: 'related', name, path, text } };
}

/** Read from the right, since an action's name has dots of its own: the sum, perhaps `same.<field>`, and the rest is the action. */
function parseEffects(of: string | null, parts: readonly string[], text: string): ParsedReference {
  const sum = parts.at(-1);
  if (parts.length < 2 || !parts.every(isName) || sum === undefined) return defect('malformed_reference', text);
  if (!isEffectSum(sum)) return defect('unknown_sum', sum, nearest(sum, EFFECT_SUMS));
  const field = parts.at(-2) ?? '';
  const same = parts.length > 3 && parts.at(-3) === 'same' ? field : null;
  const action = parts.slice(0, same === null ? -1 : -3);
  if (action.includes('same')) return defect('malformed_reference', text);
  return { reference: { root: 'effects', of, action: action.join('.'), same, sum, text } };
}

function isName(part: string): boolean {
  return NAME.test(part);
}

function isEffectSum(name: string): name is EffectSum {
  return EFFECT_SUMS.some((sum) => sum === name);
}

function suggestedRoot(head: string): string | undefined {
  const found = nearest(head.slice(1), ROOTS);
  return found === undefined ? undefined : `$${found}`;
}

function defect(code: string, detail: string, suggestion?: string): ParsedReference {
  return { defect: suggestion === undefined ? { code, detail } : { code, detail, suggestion } };
}
