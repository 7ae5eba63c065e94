// Responsibility: the types of everything that an action's rules, changes and mappings may refer to: the scope that check.ts asks.
// Boundary: what resolves at run time is transition/ask.ts's (for requests, adapters/http/operands.ts'); this follows it root by root.
// Invariants: what would never resolve has no type, so that a rule which reads it is a defect and not a refusal for ever.

import type { TypeScope } from '../../condition/check.ts';
import { parseReference } from '../../condition/parse.ts';
import { EFFECT_SUMS, type Reference } from '../../condition/types.ts';
import { INSTANT, INTEGER, pathsWithin, schemaType, TEXT, typeAt, type ValueType } from '../../condition/value-type.ts';
import type { ActionDefinition, AdapterContract } from '../types.ts';
import { idType, listedTypes, MAYBE_ANYTHING, objectPaths, objectTypeAt, type ObjectTypes } from './object-types.ts';
import { declared, isDeclared, type Parts } from './parts.ts';

/** Where an operand stands: in a rule or approval, in what an outcome changes, or in a request. */
export type Place = { readonly kind: 'rule' } | { readonly kind: 'treatment'; readonly outcome: string } | { readonly kind: 'request' };

export interface NamedAction {
  readonly name: string;
  readonly definition: ActionDefinition;
  /** Its JSON pointer. */
  readonly at: string;
}

const ROOTS: { readonly [kind in Place['kind']]: readonly Reference['root'][] } = {
  rule: ['target', 'args', 'actor', 'task', 'related', 'now', 'effects'],
  treatment: ['target', 'args', 'actor', 'task', 'related', 'now', 'effects', 'evidence', 'attempt'],
  request: ['target', 'args', 'related', 'attempt'],
};

/** Outcomes at which the provider's status, or what stands for it, is always there. */
const STATUS_KNOWN = ['Succeeded', 'progressed', 'reverted'];

export class ActionTypes implements TypeScope {
  readonly relationships: readonly string[];
  readonly #parts: Parts;
  readonly #action: ActionDefinition;
  readonly #place: Place;
  readonly #input: ValueType;

  constructor(parts: Parts, action: ActionDefinition, place: Place) {
    this.#parts = parts;
    this.#action = action;
    this.#place = place;
    this.#input = schemaType(action.input);
    const types = action.creates === true ? [] : action.target;
    this.relationships = [...new Set(types.flatMap((type) => Object.keys(parts.types.get(type)?.relationships ?? {})))];
  }

  type(reference: Reference): ValueType | undefined {
    if (!ROOTS[this.#place.kind].includes(reference.root)) return undefined;
    switch (reference.root) {
      case 'now':
        return INSTANT;
      case 'target':
        return this.#target(reference.path);
      case 'args':
        return typeAt(this.#input, reference.path);
      case 'actor':
        return typeAt(actorType(), reference.path);
      case 'task':
        return maybe(objectTypeAt(this.#parts, ['Task'], reference.path));
      case 'related': {
        const types = this.relatedTypes(reference.name);
        return types === undefined ? undefined : maybe(objectTypeAt(this.#parts, types, reference.path));
      }
      case 'attempt':
        return typeAt(this.#attempt(), reference.path);
      case 'evidence':
        return typeAt(this.#evidence(), reference.path);
      case 'effects':
        return this.#sum(reference);
      default:
        return undefined;
    }
  }

  suggestions(reference: Reference): readonly string[] {
    const under = (root: string, paths: readonly string[]): readonly string[] => paths.map((path) => `$${root}.${path}`);
    const related = Object.keys(this.#action.related);
    switch (reference.root) {
      case 'target':
        return under('target', this.#action.creates === true ? ['id'] : objectPaths(this.#parts, listedTypes(this.#action.target)));
      case 'args':
        return under('args', pathsWithin(this.#input));
      case 'actor':
        return under('actor', pathsWithin(actorType()));
      case 'task':
        return under('task', objectPaths(this.#parts, ['Task']));
      case 'evidence':
        return under('evidence', pathsWithin(this.#evidence()));
      case 'attempt':
        return under('attempt', pathsWithin(this.#attempt()));
      case 'related': {
        const types = this.relatedTypes(reference.name);
        if (types !== undefined) return under(`related.${reference.name}`, objectPaths(this.#parts, types));
        return under(
          'related',
          related.map((name) => [name, ...reference.path].join('.')),
        );
      }
      case 'effects':
        return declared(this.#parts, 'actions').flatMap((action) => EFFECT_SUMS.map((sum) => `$effects.${action}.${sum}`));
      default:
        return [];
    }
  }

  /** The types that a named related object may be of; undefined where there is no such name, or nothing that names an object. */
  relatedTypes(name: string, hops = 0): ObjectTypes | undefined {
    const type = this.relatedReference(name, hops);
    if (type === undefined) return undefined;
    if (type.kinds.includes('any')) return '*';
    return type.kinds.includes('object_id') ? (type.refers ?? '*') : undefined;
  }

  /** The type of what a related name's reference holds. Names may build on names; a circle has no type. */
  relatedReference(name: string, hops = 0): ValueType | undefined {
    const { related } = this.#action;
    const { reference } = parseReference(Object.hasOwn(related, name) ? (related[name] ?? '') : '');
    if (reference === undefined || hops > Object.keys(related).length) return undefined;
    if (reference.root !== 'related') return RELATED_ROOTS.includes(reference.root) ? this.type(reference) : undefined;
    const types = this.relatedTypes(reference.name, hops + 1);
    return types === undefined ? undefined : maybe(objectTypeAt(this.#parts, types, reference.path));
  }

  #target(path: readonly string[]): ValueType | undefined {
    const { creates, target } = this.#action;
    // What is created is not there yet: only the id that was asked for is known.
    if (creates === true) return path.length === 1 && path[0] === 'id' ? idType(listedTypes(target)) : undefined;
    return objectTypeAt(this.#parts, listedTypes(target), path);
  }

  #attempt(): ValueType {
    if (this.#action.class !== 'effect') return { kinds: ['object'], fields: {} };
    const fields = { id: idType(['ActionAttempt']), correlationId: TEXT };
    return { kinds: ['object'], fields: this.#place.kind === 'request' ? { ...fields, world: TEXT } : fields };
  }

  /** Fields that the contract's evidence names; each may be absent, since a person's finding has none. */
  #evidence(): ValueType {
    const { adapter, class: kind } = this.#action;
    if (kind !== 'effect' || this.#place.kind !== 'treatment') return { kinds: ['object'], fields: {} };
    const contract = adapter === undefined ? undefined : this.#parts.adapters.get(adapter.integration);
    if (contract === undefined || adapter === undefined) return { kinds: ['any'] };
    const names = evidenceNames(contract, adapter.operation);
    const fields: { [name: string]: ValueType } = Object.fromEntries(names.map((name) => [name, MAYBE_ANYTHING]));
    if (STATUS_KNOWN.includes(this.#place.outcome)) fields['status'] = TEXT;
    return { kinds: ['object'], fields };
  }

  #sum(reference: Extract<Reference, { root: 'effects' }>): ValueType | undefined {
    const of = reference.of === null ? listedTypes(this.#action.target) : this.relatedTypes(reference.of);
    if (of === undefined || (reference.of === null && this.#action.creates === true)) return undefined;
    if (!isDeclared(this.#parts, 'actions', reference.action)) return undefined;
    const optional = reference.of !== null || reference.same !== null;
    const type: ValueType = optional ? { ...INTEGER, optional: true } : INTEGER;
    const effect = this.#parts.actions.get(reference.action);
    if (effect === undefined) return type;
    const counts = effect.class === 'effect' && meet(of, listedTypes(effect.target));
    const hasAmount = effect.amount !== undefined || reference.sum.endsWith('Count');
    // Groups are kept by identity field, but for the amount, and looked up with this proposal's own value.
    const { same } = reference;
    const grouped = same === null || (effect.identity.includes(same) && same !== effect.amount && typeAt(this.#input, [same]) !== undefined);
    return counts && hasAmount && grouped ? type : undefined;
  }
}

/** What a related name may begin with. */
const RELATED_ROOTS: readonly Reference['root'][] = ['target', 'args', 'task', 'actor'];

export function evidenceNames(contract: AdapterContract, operation: string): readonly string[] {
  const own = Object.hasOwn(contract.operations, operation) ? contract.operations[operation]?.response.evidence : undefined;
  return [...new Set([own, contract.readBack?.evidence, contract.webhook?.evidence].flatMap((map) => Object.keys(map ?? {})))];
}

function actorType(): ValueType {
  const kinds = ['Agent', 'Person', 'Operator', 'Clock'];
  const roles: ValueType = { kinds: ['list'], items: TEXT };
  return { kinds: ['object'], fields: { id: { kinds: ['object_id'] }, kind: { kinds: ['text'], values: kinds }, roles } };
}

function maybe(type: ValueType | undefined): ValueType | undefined {
  return type === undefined ? undefined : { ...type, optional: true };
}

function meet(a: ObjectTypes, b: ObjectTypes): boolean {
  return a === '*' || b === '*' || a.some((name) => b.includes(name));
}
