// Worlds made by editing the compiled refund desk: what the desk itself does not have (narrow scopes, small bounds, other rules).
import { canonical, seal, type Json, type SealedWorld } from '../../../src/kernel/index.ts';
import manifest from '../../../manifests/refund-desk/manifest.json' with { type: 'json' };

export type Editable = { [key: string]: EditableValue };
type EditableValue = string | number | boolean | null | EditableValue[] | Editable;

/** The object at a path of an edited manifest. */
export function part(from: Editable, ...path: readonly string[]): Editable {
  let at: Editable = from;
  for (const step of path) {
    const next = at[step];
    if (typeof next !== 'object' || next === null || Array.isArray(next)) throw new Error(`no object at ${path.join('/')}`);
    at = next;
  }
  return at;
}

export function list(from: Editable, field: string): EditableValue[] {
  const found = from[field];
  if (!Array.isArray(found)) throw new Error(`no list at ${field}`);
  return found;
}

export function edited(edit: (manifest: Editable) => void): SealedWorld {
  const copy = structuredClone(manifest) as unknown as Editable;
  edit(copy);
  return seal(canonical(copy as unknown as Json));
}

/**
 * Agents see the customers they look after, what hangs on these by a path, and the tickets they opened themselves. People and operators see all.
 * `customer.register` takes the agent who looks after the customer; `customer.update` hands the customer to another one.
 */
export const sealedScoped: SealedWorld = edited((world) => {
  const agentField = { type: 'string', format: 'objectId', maxLength: 193, refers: ['Agent'] };
  part(world, 'types', 'Customer', 'state', 'properties')['agent'] = agentField;
  part(world, 'types', 'Customer', 'relationships')['agent'] = { cardinality: 'one', field: 'agent', to: ['Agent'] };
  part(world, 'types', 'Customer', 'scope')['agent'] = 'agent';
  part(world, 'types', 'Order', 'scope')['agent'] = 'customer.agent';
  part(world, 'types', 'Refund', 'scope')['agent'] = 'order.customer.agent';
  part(world, 'types', 'Ticket', 'scope')['agent'] = 'own';
  part(world, 'types', 'Task', 'scope')['agent'] = 'subject.customer.agent';
  part(world, 'types', 'Message', 'scope')['agent'] = 'own';
  for (const action of ['customer.register', 'customer.update']) {
    part(world, 'actions', action, 'input', 'properties')['agent'] = agentField;
    const [change] = list(part(world, 'actions', action, 'outcomes', 'Succeeded'), 'changes');
    part(change as Editable, 'fields')['agent'] = '$args.agent';
  }
});

/** A desk whose tickets have a priority that nobody has to record, and a rule that reads it. */
export const sealedWithPriority: SealedWorld = edited((world) => {
  part(world, 'types', 'Ticket', 'state', 'properties')['priority'] = { type: 'integer', minimum: 0, maximum: 9 };
  part(world, 'types', 'Order', 'state', 'properties')['priority'] = { type: 'integer', minimum: 0, maximum: 9 };
  list(part(world, 'actions', 'ticket.resolve'), 'rules').push({ name: 'is_not_urgent', description: '', when: { lt: ['$target.priority', 5] } });
  list(part(world, 'actions', 'order.refund'), 'rules').push({ name: 'order_is_not_urgent', description: '', when: { lt: ['$target.priority', 5] } });
});

export function withLimits(limits: { readonly [limit: string]: number }): SealedWorld {
  return edited((world) => Object.assign(part(world, 'limits'), limits));
}
