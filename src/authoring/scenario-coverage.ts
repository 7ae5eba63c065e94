// Which outcomes of a world's own actions no shipped scenario reaches: a warning where a manifest is compiled (design §5 "Seal").
import type { Manifest, OutcomeKind } from '../kernel/index.ts';
import { CORE } from '../kernel/index.ts';
import type { Scenario } from './scenario.ts';

/** What can come of an action of each class. Nothing blocks or cancels what is decided at once, and no HTTP contract is found incompatible. */
const POSSIBLE: { readonly [kind in 'internal' | 'read' | 'effect']: readonly OutcomeKind[] } = {
  internal: ['Succeeded', 'Rejected'],
  read: ['Succeeded', 'Rejected', 'FailedTransiently', 'TimedOut'],
  effect: ['Succeeded', 'FailedTransiently', 'FailedPermanently', 'Rejected', 'OutcomeAmbiguous', 'ProtocolViolated', 'Blocked', 'Cancelled'],
};

/** `order.refund Cancelled`, in order. */
export function unreachedOutcomes(manifest: Manifest, scenarios: Iterable<Scenario>): readonly string[] {
  const reached = new Set([...scenarios].flatMap(outcomesOf));
  return Object.entries(manifest.actions).flatMap(([name, action]) => {
    if (Object.hasOwn(CORE.actions, name)) return [];
    // Only what waits for a person can be withdrawn.
    const possible = POSSIBLE[action.class].filter((outcome) => outcome !== 'Cancelled' || action.approvals.length > 0);
    return possible.map((outcome) => `${name} ${outcome}`).filter((each) => !reached.has(each));
  });
}

function outcomesOf({ given, inputs, expected }: Scenario): readonly string[] {
  const named = new Map(inputs.flatMap((input) => ('action' in input && input.name !== undefined ? [[input.name, input.action] as const] : [])));
  const answered = inputs.flatMap((input, index) => {
    const action = 'action' in input ? input.action : 'evidence' in input ? named.get(input.of) : undefined;
    const answer = expected.answers[index];
    return action === undefined || answer === null || answer === undefined || answer === 'on_its_way' ? [] : [`${action} ${answer.kind}`];
  });
  const settled = expected.objects.flatMap((object) => {
    const [, name = ''] = ('id' in object ? /^\{(.+)\.attempt\}$/.exec(object.id) : null) ?? [];
    const { outcome } = object.state;
    return named.has(name) && typeof outcome === 'string' ? [`${named.get(name)} ${outcome}`] : [];
  });
  return [...given.map(({ action }) => `${action} Succeeded`), ...answered, ...settled];
}
