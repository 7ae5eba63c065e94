// How the operands of a request mapping get their values. A mapping knows more places than a condition (`$settings`, nested lists and objects)
// and fewer operators: it moves values, it computes none.
import { evaluate, isJsonList, isJsonObject, ownField, parseCondition } from '../../kernel/index.ts';
import type { Condition, ConditionNode, HttpContract, Json, JsonObject, Operand, Reference, Scope } from '../../kernel/index.ts';
import type { RequestScope } from '../port.ts';

/** Everything an operand may refer to, as one tree of own keys: `$related.order.chargeId` is the path `related.order.chargeId`. */
export type OperandTree = JsonObject;

/** The tree of a request: the scope, with the contract's defaults under settings that the connection does not name. */
export function operandTree(contract: HttpContract, scope: RequestScope): OperandTree {
  const defaults = Object.entries(contract.settings).map(([name, setting]): [string, string] => [name, setting.default]);
  return {
    target: scope.target,
    args: scope.args,
    related: scope.related,
    attempt: { ...scope.attempt },
    settings: { ...Object.fromEntries(defaults), ...scope.settings },
  };
}

/**
 * The value of an operand: `$path` refers, `$$text` is the literal `$text`, `{first: [a, b, …]}` is the first operand that is present,
 * lists and objects are resolved inside, every other value is itself. What resolves to nothing (missing or null) is undefined, and is left out
 * of the list or object around it.
 */
export function resolveOperand(operand: Operand, tree: OperandTree): Json | undefined {
  if (operand === null) return undefined;
  if (typeof operand === 'string') return resolveText(operand, tree);
  if (isJsonList(operand)) return operand.map((item) => resolveOperand(item, tree)).filter(isPresent);
  if (!isJsonObject(operand)) return operand;
  const choices = firstOf(operand);
  return choices === undefined ? resolveFields(operand, tree) : firstPresent(choices, tree);
}

/** True where the condition holds for this request; unknown is not true. @throws Error where it is malformed: a fault of ours. */
export function holds(condition: Condition, tree: OperandTree): boolean {
  return evaluate(nodeOf(condition), conditionScope(tree)).truth === 'true';
}

function nodeOf(condition: Condition): ConditionNode {
  const { node } = parseCondition(condition, '');
  if (node === undefined) throw new Error('contract fault: a malformed condition');
  return node;
}

function resolveText(text: string, tree: OperandTree): Json | undefined {
  if (text.startsWith('$$')) return text.slice(1);
  if (!text.startsWith('$')) return text;
  return follow(tree, text.slice(1).split('.'));
}

function follow(tree: Json, path: readonly string[]): Json | undefined {
  const found = path.reduce<Json | undefined>((at, key) => ownField(at, key), tree);
  return isPresent(found) ? found : undefined;
}

function resolveFields(operand: JsonObject, tree: OperandTree): JsonObject {
  const fields: [string, Json][] = [];
  for (const [name, inner] of Object.entries(operand)) {
    const value = resolveOperand(inner, tree);
    if (isPresent(value)) fields.push([name, value]);
  }
  return Object.fromEntries(fields);
}

function firstOf(operand: JsonObject): readonly Json[] | undefined {
  const choices = ownField(operand, 'first');
  return isJsonList(choices) && Object.keys(operand).length === 1 ? choices : undefined;
}

function firstPresent(choices: readonly Json[], tree: OperandTree): Json | undefined {
  for (const choice of choices) {
    const value = resolveOperand(choice, tree);
    if (isPresent(value)) return value;
  }
  return undefined;
}

function isPresent(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}

/** The kernel's condition language over the same tree. Sums, counts and the clock are no part of a request. */
function conditionScope(tree: OperandTree): Scope {
  return {
    resolve: (reference) => follow(tree, pathOf(reference)),
    count: () => undefined,
  };
}

function pathOf(reference: Reference): readonly string[] {
  switch (reference.root) {
    case 'related':
      return ['related', reference.name, ...reference.path];
    case 'now':
    case 'effects':
      return [reference.root];
    default:
      return [reference.root, ...reference.path];
  }
}
