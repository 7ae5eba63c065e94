// Responsibility: sealing: a manifest's text becomes a frozen world in which everything is parsed once (design §5 "Seal").
// Boundary: validate.ts lists the defects; this file refuses a defective manifest and prepares the rest for decisions.
// Invariants: a sealed world is deeply frozen and offers no way to register anything; names are looked up as own keys only.

import { canonical } from '../base/canonical.ts';
import { sha256Hex } from '../base/digest.ts';
import { KernelFault } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import { ReadOnlyMap } from '../base/read-only-map.ts';
import { parseCondition, parseOperand, parseReference } from '../condition/parse.ts';
import { referencesOf } from '../condition/evaluate.ts';
import type { ConditionNode, Defect, OperandNode, Reference } from '../condition/types.ts';
import { validateManifest } from './validate.ts';
import { compileSchema, type SchemaCheck } from './schema.ts';
import type { ActionDefinition, ChangeDefinition, Manifest, Treatment } from './types.ts';

export interface SealedField {
  readonly field: string;
  readonly node: OperandNode;
}

export type SealedChange =
  | { readonly kind: 'set'; readonly of: string; readonly fields: readonly SealedField[] }
  | { readonly kind: 'create'; readonly type: string; readonly as: string; readonly fields: readonly SealedField[] }
  | { readonly kind: 'update'; readonly type: string; readonly as: string; readonly fields: readonly SealedField[] };

export interface SealedTreatment {
  readonly changes: readonly SealedChange[];
  readonly events: readonly { readonly name: string; readonly data: readonly SealedField[] }[];
}

export interface SealedAction {
  readonly name: string;
  readonly definition: ActionDefinition;
  /** Defects of parameters against the input schema; empty where they fit. */
  readonly validate: SchemaCheck;
  readonly rules: readonly { readonly name: string; readonly node: ConditionNode }[];
  readonly approvals: readonly { readonly name: string; readonly node: ConditionNode; readonly role: string; readonly expiresAfterMs: number }[];
  readonly related: readonly { readonly name: string; readonly reference: Reference }[];
  /** By outcome, and under `progressed` and `reverted`. */
  readonly treatments: ReadonlyMap<string, SealedTreatment>;
  /** What its rules read from target, task and related objects: the causal conditions of its retry budget. */
  readonly causalPaths: readonly Reference[];
}

export interface SealedWorld {
  readonly manifest: Manifest;
  /** `sha256:` of the canonical bytes. */
  readonly hash: string;
  readonly text: string;
  readonly actions: ReadonlyMap<string, SealedAction>;
}

/** A manifest that cannot govern a world: all its defects, each with path and code. */
export class DefectiveManifest extends KernelFault {
  readonly defects: readonly Defect[];
  constructor(defects: readonly Defect[]) {
    super('defective', defects[0]?.path ?? '');
    this.defects = defects;
  }
}

/**
 * Seals canonical manifest bytes. Throws a KernelFault (`not_json`, `not_canonical`, or `hash_differs` from the one asked for),
 * or a DefectiveManifest with all defects, where they cannot govern a world.
 */
export function seal(text: string, expectedHash?: string): SealedWorld {
  const hash = hashOf(text);
  if (expectedHash !== undefined && expectedHash !== hash) throw new KernelFault('hash_differs');
  const parsed = parseCanonical(text);
  const { errors } = validateManifest(parsed);
  if (errors.length > 0) throw new DefectiveManifest(errors);
  return sealedWorld(parsed, text, hash);
}

/** Sealing without the check of agreement: for a test of the bare machine. Not exported from the kernel's door. */
export function prepare(text: string): SealedWorld {
  return sealedWorld(parseCanonical(text), text, hashOf(text));
}

function hashOf(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}

function parseCanonical(text: string): Json {
  const parsed = parseJson(text);
  if (canonical(parsed) !== text) throw new KernelFault('not_canonical');
  return parsed;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new KernelFault('not_json');
  }
}

function sealedWorld(parsed: Json, text: string, hash: string): SealedWorld {
  const manifest = deepFreeze(parsed) as unknown as Manifest;
  const actions = Object.entries(manifest.actions).map(([name, definition]) => [name, sealAction(name, definition)] as const);
  return Object.freeze({ manifest, hash, text, actions: new ReadOnlyMap(actions) });
}

function sealAction(name: string, definition: ActionDefinition): SealedAction {
  const at = `/actions/${name}`;
  const rules = definition.rules.map((rule, index) => ({ name: rule.name, node: condition(rule.when, `${at}/rules/${index}`) }));
  const approvals = definition.approvals.map((approval, index) => ({
    name: approval.name,
    node: condition(approval.when, `${at}/approvals/${index}`),
    role: approval.role,
    expiresAfterMs: approval.expiresAfterMs,
  }));
  const related = relatedInOrder(definition.related, at);
  const causal = new Map<string, Reference>();
  for (const { node } of rules) for (const reference of referencesOf(node)) if (isCausal(reference)) causal.set(reference.text, reference);
  return Object.freeze({
    name,
    definition,
    validate: once(() => compileSchema(definition.input)),
    rules: deepFreeze(rules),
    approvals: deepFreeze(approvals),
    related: deepFreeze(related),
    treatments: new ReadOnlyMap(treatmentsOf(definition, at)),
    causalPaths: deepFreeze([...causal.values()]),
  });
}

function isCausal(reference: Reference): boolean {
  return reference.root === 'target' || reference.root === 'task' || reference.root === 'related';
}

function condition(json: Json, at: string): ConditionNode {
  const { node } = parseCondition(json, at);
  if (node === undefined) throw new KernelFault('defective', at);
  return node;
}

function operand(json: Json, at: string): OperandNode {
  const { node } = parseOperand(json, at);
  if (node === undefined) throw new KernelFault('defective', at);
  return node;
}

/** A name that builds on another comes after it; otherwise by name. */
function relatedInOrder(related: ActionDefinition['related'], at: string): SealedAction['related'] {
  const entries = Object.keys(related)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => {
      const parsed = parseReference(related[name] ?? '');
      if (!('reference' in parsed) || parsed.reference === undefined) throw new KernelFault('defective', `${at}/related/${name}`);
      return { name, reference: parsed.reference };
    });
  const depth = (name: string, hops = 0): number => {
    const reference = entries.find((entry) => entry.name === name)?.reference;
    return reference?.root === 'related' && hops < entries.length ? 1 + depth(reference.name, hops + 1) : 0;
  };
  return entries.sort((a, b) => depth(a.name) - depth(b.name) || (a.name < b.name ? -1 : 1));
}

function treatmentsOf(definition: ActionDefinition, at: string): Map<string, SealedTreatment> {
  const found = new Map<string, SealedTreatment>();
  const all: { readonly [name: string]: Treatment | undefined } = { ...definition.outcomes, progressed: definition.progressed, reverted: definition.reverted };
  const made = new Map<string, string>();
  for (const treatment of Object.values(all)) for (const change of treatment?.changes ?? []) if ('create' in change) made.set(change.as, change.create);
  for (const [name, treatment] of Object.entries(all)) if (treatment !== undefined) found.set(name, sealTreatment(treatment, made, `${at}/${name}`));
  return found;
}

function sealTreatment(treatment: Treatment, made: ReadonlyMap<string, string>, at: string): SealedTreatment {
  const fields = (source: { readonly [field: string]: Json }): readonly SealedField[] =>
    Object.keys(source).map((field) => ({ field, node: operand(source[field] ?? null, `${at}/${field}`) }));
  const changes = treatment.changes.map((change) => sealChange(change, made, fields));
  const events = treatment.events.map(({ name, data }) => ({ name, data: fields(data) }));
  return deepFreeze({ changes, events });
}

function sealChange(
  change: ChangeDefinition,
  made: ReadonlyMap<string, string>,
  fields: (source: { readonly [field: string]: Json }) => readonly SealedField[],
): SealedChange {
  if ('create' in change) return { kind: 'create', type: change.create, as: change.as, fields: fields(change.fields) };
  if ('update' in change) return { kind: 'update', type: made.get(change.update) ?? '', as: change.update, fields: fields(change.fields) };
  return { kind: 'set', of: change.set.replace(/^\$/, '').replace(/^related\./, ''), fields: fields(change.fields) };
}

/** Compiled at the first use: sealing stays fast, and every later use shares it. */
function once(make: () => SchemaCheck): SchemaCheck {
  let made: SchemaCheck | undefined;
  return (value) => {
    made ??= make();
    return made(value);
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value as { readonly [key: string]: unknown })) deepFreeze(inner);
  }
  return value;
}
