// Responsibility: the worst-case size of the mandatory core of a frame, proven against its budget (design §5, §11).
// Boundary: arithmetic over the manifest; what an entry holds is in observation/sections.ts. Beside the core a room is kept for the place, its
// neighbours, the task and the actions, which are bounded in number and not here in size.
// Invariants: no entry that a world can make is larger than its term says; the defect shows the arithmetic.

import { canonical } from '../base/canonical.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { INTEGER_MAX, LIMITS } from '../base/limits.ts';
import type { Defect } from '../condition/types.ts';
import type { ActionDefinition, BudgetDefinition, FrameDefinition, TypeDefinition, WorldLimits } from './types.ts';

/** What the bound is made of: the well-shaped parts of a manifest. */
export interface Bounded {
  readonly frame: FrameDefinition;
  readonly limits: WorldLimits;
  readonly types: ReadonlyMap<string, TypeDefinition>;
  readonly actions: ReadonlyMap<string, ActionDefinition>;
  readonly budgets: ReadonlyMap<string, BudgetDefinition>;
  readonly adapters: ReadonlyMap<string, object>;
}

/** So many entries of a section, of so many bytes each at most. */
export interface FrameTerm {
  readonly section: string;
  readonly count: number;
  readonly bytes: number;
}

/** Bytes kept for what stands beside the core: identity, place, neighbours, task, conversation, actions. */
export const ROOM_BYTES = 131_072;

/** A character in UTF-8 JSON at most: an escaped control character. */
const CHARACTER_BYTES_MAX = 6;
const INSTANT = 'x'.repeat(24);
const DIGEST = 'x'.repeat(32);
const CODE = 'x'.repeat(64);
/** The longest `waitsFor` names a role. */
const WAITS_FOR = 'x'.repeat(80);

export function frameTerms(bounded: Bounded): readonly FrameTerm[] {
  const { unresolvedMax, approvalsMax } = bounded.limits;
  const effects = [...bounded.actions].filter(([, action]) => action.class === 'effect');
  const approved = effects.filter(([, action]) => action.approvals.length > 0);
  const entry = effectEntry(bounded, effects);
  const approval = approvalEntry(bounded, approved);
  const completed = shownMax(bounded) * LIMITS.completedShownMax;
  const parameters = largest(approved.map(([, { input }]) => valueBytes(input)));
  const blocked = { code: CODE, waitsFor: WAITS_FOR };
  return [
    { section: 'unresolved', count: unresolvedMax, bytes: bytesOf({ ...entry, status: CODE }) },
    { section: 'blockers in doubt or in conflict', count: 2 * unresolvedMax, bytes: bytesOf({ ...entry, ...blocked }) },
    { section: 'blockers of approvals, open or expired', count: 2 * approvalsMax, bytes: bytesOf({ ...approval, ...blocked }) },
    { section: 'approvals', count: approvalsMax, bytes: bytesOf({ ...approval, parameters: 0 }) + parameters },
    { section: 'completed', count: completed, bytes: bytesOf({ ...entry, parameters: 0 }) + largest(effects.map(identifyingBytes)) },
    { section: 'evidence', count: (unresolvedMax + completed) * LIMITS.evidenceShownMax, bytes: bytesOf(`Evidence:${DIGEST}`) },
    { section: 'integrations', count: bounded.adapters.size, bytes: bytesOf({ ...entry, ...blocked, status: CODE, retryAt: INSTANT }) },
    { section: 'budgets', count: bounded.budgets.size, bytes: budgetBytes(bounded) },
  ];
}

/** Bytes of the mandatory core at most, with the room beside it. */
export function mandatoryBytes(bounded: Bounded): number {
  return frameTerms(bounded).reduce((sum, { count, bytes }) => sum + count * bytes, ROOM_BYTES);
}

export function frameDefects(bounded: Bounded): readonly Defect[] {
  const bytes = mandatoryBytes(bounded);
  const { maxBytes } = bounded.frame;
  if (bytes <= maxBytes) return [];
  const terms = frameTerms(bounded).map(({ section, count, bytes }) => `${count} × ${bytes} ${section}`);
  return [
    { path: '/frame/maxBytes', code: 'mandatory_frame_too_large', detail: `${[`${ROOM_BYTES} room`, ...terms].join(' + ')} = ${bytes}, above ${maxBytes}` },
  ];
}

type Effects = readonly (readonly [name: string, action: ActionDefinition])[];

/** The largest entry of an effect: every text as long as it can be. */
function effectEntry(bounded: Bounded, effects: Effects): JsonObject {
  return {
    attempt: `ActionAttempt:${DIGEST}`,
    action: longest(effects.map(([name]) => name)),
    target: idOf(longestTarget(bounded, effects)),
    outcome: { kind: 'FailedTransiently', check: 10, code: CODE },
    certainty: 'in_doubt',
    since: INSTANT,
    task: idOf('Task'),
  };
}

function approvalEntry(bounded: Bounded, approved: Effects): JsonObject {
  const { task: _task, ...entry } = effectEntry(bounded, approved);
  const role = longest(approved.flatMap(([, { approvals }]) => approvals.map((approval) => approval.role)));
  return { ...entry, approval: `Approval:${DIGEST}`, status: 'granted', role, proposer: idOf('Operator'), expiresAt: INSTANT };
}

function longestTarget({ types }: Bounded, effects: Effects): string {
  return longest(effects.flatMap(([, { target }]) => (target.includes('*') ? [...types.keys()] : target)));
}

function budgetBytes({ budgets }: Bounded): number {
  const unit = largest([...budgets.values()].map((budget) => textBytes(budget.unit.length)));
  const amount = INTEGER_MAX;
  return (
    unit +
    bytesOf({ budget: `Budget:${longest([...budgets.keys()])}`, unit: 0, period: 'utc_day', limit: amount, spent: amount, held: amount, remaining: amount })
  );
}

/** Parameters of a completed effect: those that make it the same one again, and its amount. */
function identifyingBytes([, { identity, amount, input }]: Effects[number]): number {
  const { properties } = input;
  const shown = Object.entries(isJsonObject(properties) ? properties : {}).filter(([name]) => identity.includes(name) || name === amount);
  return objectBytes({ properties: Object.fromEntries(shown) });
}

/** Objects of which a frame shows completed effects: the task, the place, its subject, what the task requires, and what is one relationship away. */
function shownMax({ types }: Bounded): number {
  const toOne = [...types.values()].map(({ relationships }) => Object.values(relationships).filter(({ cardinality }) => cardinality === 'one').length);
  return 3 + LIMITS.taskEffectsMax + largest(toOne);
}

// ---- bytes

function bytesOf(value: Json): number {
  // Names, ids and codes are ASCII; a comma follows each entry.
  return canonical(value).length + 1;
}

function textBytes(characters: number): number {
  return characters * CHARACTER_BYTES_MAX + 2;
}

/** Bytes of a value that fits a schema, as an entry shows it: texts and lists cut. */
export function valueBytes(schema: JsonObject): number {
  const { type, enum: values, const: only } = schema;
  if (only !== undefined) return canonical(only).length;
  if (isJsonList(values)) return largest(values.map((value) => canonical(value).length));
  switch (isJsonList(type) ? type[0] : type) {
    case 'boolean':
      return 5;
    case 'integer':
      return largest([schema['minimum'], schema['maximum']].map((bound) => `${typeof bound === 'number' ? bound : -INTEGER_MAX}`.length));
    case 'string':
      return shownTextBytes(schema);
    case 'array':
      return (
        2 +
        Math.min(numberOr(schema['maxItems'], LIMITS.listItemsMax), LIMITS.entryItemsMax) *
          (1 + (isJsonObject(schema['items']) ? valueBytes(schema['items']) : 0))
      );
    case 'object':
      return objectBytes(schema);
    default:
      return LIMITS.conditionBytesMax;
  }
}

function shownTextBytes(schema: JsonObject): number {
  // Ids and instants are ASCII, and no longer than their form allows.
  if (schema['format'] === 'objectId' || schema['format'] === 'instant') return LIMITS.entryTextMax + textBytes(1);
  return textBytes(Math.min(numberOr(schema['maxLength'], LIMITS.stringLengthMax), LIMITS.entryTextMax + 1));
}

function objectBytes(schema: JsonObject): number {
  const properties = Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {});
  return properties.reduce((sum, [name, property]) => sum + name.length + 4 + (isJsonObject(property) ? valueBytes(property) : 0), 2);
}

function idOf(type: string): string {
  return `${type}:${'x'.repeat(LIMITS.localIdMax)}`;
}

function longest(texts: readonly string[]): string {
  return texts.reduce((found, text) => (text.length > found.length ? text : found), '');
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((found, number) => Math.max(found, number), 0);
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
