// A second evaluator of conditions, written from design §6 and conditions.json alone: over the JSON form, with sets and bigints, sharing
// nothing with the kernel but the names of the operators. It is slow and obvious.
import type { Json } from '../../../src/kernel/base/json.ts';

export interface NaiveResult {
  readonly truth: 'true' | 'false' | 'unknown';
  readonly missing: readonly string[];
}

type Context = { readonly [root: string]: unknown };
type Value = { readonly value: unknown } | { readonly gaps: readonly string[] };
type Third = { readonly truth: boolean | undefined; readonly gaps: readonly string[] };

export function naive(condition: Json, context: Context): NaiveResult {
  const { truth, gaps } = judge(condition, context);
  if (truth === undefined) return { truth: 'unknown', missing: Array.from(new Set(gaps)).sort((a, b) => (a < b ? -1 : 1)) };
  return { truth: truth ? 'true' : 'false', missing: [] };
}

function judge(condition: unknown, context: Context): Third {
  if (typeof condition === 'boolean') return { truth: condition, gaps: [] };
  const [[operator, body] = ['', null]] = Object.entries(condition as object) as [string, unknown][];
  if (operator === 'not') {
    const inner = judge(body, context);
    return { truth: inner.truth === undefined ? undefined : !inner.truth, gaps: inner.gaps };
  }
  if (operator === 'all' || operator === 'any') {
    const parts = (body as unknown[]).map((part) => judge(part, context));
    const gaps = parts.flatMap((part) => part.gaps);
    const truths = parts.map((part) => part.truth);
    if (operator === 'all') return { truth: truths.includes(false) ? false : truths.includes(undefined) ? undefined : true, gaps };
    return { truth: truths.includes(true) ? true : truths.includes(undefined) ? undefined : false, gaps };
  }
  if (operator === 'exists') return { truth: 'value' in look(body, context), gaps: [] };
  const [left, right] = body as [unknown, unknown];
  return compare(operator, [left, right], [look(left, context), look(right, context)]);
}

function look(operand: unknown, context: Context): Value {
  if (typeof operand === 'string' && operand.startsWith('$$')) return { value: operand.slice(1) };
  if (typeof operand === 'string' && operand.startsWith('$')) return reference(operand, context);
  if (Array.isArray(operand)) {
    const all = operand.map((item) => look(item, context));
    const gaps = all.flatMap((one) => ('gaps' in one ? one.gaps : []));
    return gaps.length > 0 ? { gaps } : { value: all.map((one) => ('value' in one ? one.value : null)) };
  }
  if (typeof operand !== 'object' || operand === null) return { value: operand };
  const [[operator, body] = ['', null]] = Object.entries(operand) as [string, unknown][];
  if (operator === 'count') {
    const counts = context['counts'] as { [name: string]: number };
    return Object.hasOwn(counts, body as string) ? { value: counts[body as string] } : { gaps: [name(operand)] };
  }
  if (operator === 'item') return item(operand, body as [unknown, unknown, string], context);
  return compute(operator, operand, look(body, context));
}

function reference(text: string, context: Context): Value {
  if (text.includes('$effects')) {
    const value = (context['effects'] as { [text: string]: unknown })[text];
    return value === undefined || value === null ? { gaps: [text] } : { value };
  }
  let at: unknown = context;
  for (const step of text.slice(1).split('.')) {
    const isObject = typeof at === 'object' && at !== null && !Array.isArray(at);
    at = isObject && Object.hasOwn(at as object, step) ? (at as { [key: string]: unknown })[step] : undefined;
  }
  return at === undefined || at === null ? { gaps: [text] } : { value: at };
}

function item(operand: object, [list, id, field]: [unknown, unknown, string], context: Context): Value {
  const entries = look(list, context);
  const wanted = look(id, context);
  const gaps = [entries, wanted].flatMap((one) => ('gaps' in one ? one.gaps : []));
  if (gaps.length > 0 || !('value' in entries) || !('value' in wanted)) return { gaps };
  const rows = Array.isArray(entries.value) ? (entries.value as { [key: string]: unknown }[]) : [];
  const row = rows.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one)).find((one) => 'id' in one && same(one['id'], wanted.value));
  const value = row?.[field];
  return value === undefined || value === null ? { gaps: [name(operand)] } : { value };
}

function compute(operator: string, operand: object, operands: Value): Value {
  if ('gaps' in operands) return operands;
  const values = operands.value as unknown[];
  if (!values.every((value) => Number.isSafeInteger(value))) return { gaps: [name(operand)] };
  let result = BigInt(values[0] as number);
  for (const value of values.slice(1)) {
    const next = BigInt(value as number);
    result = operator === 'add' ? result + next : operator === 'sub' ? result - next : result * next;
    if (result > 9007199254740991n || result < -9007199254740991n) return { gaps: [name(operand)] };
  }
  return { value: Number(result) };
}

function compare(operator: string, operands: [unknown, unknown], [left, right]: [Value, Value]): Third {
  const gaps = [left, right].flatMap((one) => ('gaps' in one ? one.gaps : []));
  if (!('value' in left) || !('value' in right)) return { truth: undefined, gaps };
  const [a, b] = [left.value, right.value];
  const unless = (isFitA: boolean, isFitB: boolean, truth: () => boolean): Third => {
    const unfit = [...(isFitA ? [] : [name(operands[0])]), ...(isFitB ? [] : [name(operands[1])])];
    return unfit.length > 0 ? { truth: undefined, gaps: unfit } : { truth: truth(), gaps: [] };
  };
  const integer = Number.isSafeInteger;
  const text = (value: unknown): value is string => typeof value === 'string';
  const time = (value: unknown): boolean => text(value) && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));
  const utc = (value: unknown): number => Date.parse(/T.*(Z|[+-]\d\d:\d\d)$|^[^T]*$/.test(value as string) ? (value as string) : `${value as string}Z`);
  switch (operator) {
    case 'eq':
      return { truth: same(a, b), gaps: [] };
    case 'ne':
      return { truth: !same(a, b), gaps: [] };
    case 'gt':
      return unless(integer(a), integer(b), () => (a as number) > (b as number));
    case 'gte':
      return unless(integer(a), integer(b), () => (a as number) >= (b as number));
    case 'lt':
      return unless(integer(a), integer(b), () => (a as number) < (b as number));
    case 'lte':
      return unless(integer(a), integer(b), () => (a as number) <= (b as number));
    case 'before':
      return unless(time(a), time(b), () => utc(a) < utc(b));
    case 'after':
      return unless(time(a), time(b), () => utc(a) > utc(b));
    case 'starts_with':
      return unless(text(a), text(b), () => (a as string).indexOf(b as string) === 0);
    case 'ends_with':
      return unless(text(a), text(b), () => (b as string) === '' || (a as string).slice(-(b as string).length) === b);
    case 'in':
      return unless(true, Array.isArray(b), () => (b as unknown[]).some((one) => same(one, a)));
    default:
      if (Array.isArray(a)) return { truth: a.some((one) => same(one, b)), gaps: [] };
      return unless(text(a) || (typeof a === 'object' && a !== null), text(b), () =>
        text(a) ? a.indexOf(b as string) >= 0 : Object.keys(a as object).includes(b as string),
      );
  }
}

/** What a refusal calls an operand: at most 128 characters (all texts made here are ASCII). */
function name(operand: unknown): string {
  return typeof operand === 'string' && /^\$[^$]/.test(operand) ? operand : JSON.stringify(ordered(operand)).slice(0, 128);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, ordered(each)]),
  );
}
