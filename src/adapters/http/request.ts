// Responsibility: a contract's operation and an attempt become the exact bytes of one request, before the intent is durable.
// Boundary: pure and synchronous; the credential is added by send.ts when the bytes leave, and is never in a CompiledRequest.
// Invariants: the same contract and scope give the same bytes (order is the contract's); nothing that the contract does not map is sent.
import type { FieldMapping, HttpContract, Json, JsonObject, Operand, OperationContract } from '../../kernel/index.ts';
import type { CompiledRequest, RequestScope } from '../port.ts';
import { holds, operandTree, resolveOperand } from './operands.ts';
import type { OperandTree } from './operands.ts';

/** Values (text, numbers, booleans) of the answer that must equal what was asked, by path: the operation's echoes, resolved. */
export type Expectations = JsonObject;

const MEDIA_TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const;
/** Visible ASCII, spaces and tabs inside: what every runtime sends unchanged. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/**
 * The request of an operation for one attempt.
 * @throws Error where the contract is at fault (no such operation, a header or form value that cannot be sent): a fault of ours, nothing is committed.
 */
export function compileRequest(contract: HttpContract, operationName: string, scope: RequestScope): CompiledRequest {
  const operation = operationOf(contract, operationName);
  const tree = operandTree(contract, scope);
  const fields = mappedFields(operation.body, tree);
  const headers = { ...contract.headers, accept: 'application/json', ...operationHeaders(operation, tree) };
  switch (operation.encoding) {
    case 'none':
      return { method: operation.method, path: withQuery(operation.path, fields), headers, body: null };
    case 'form':
      return { method: operation.method, path: operation.path, headers: { ...headers, 'content-type': MEDIA_TYPES.form }, body: formText(fields) };
    case 'json':
      return {
        method: operation.method,
        path: operation.path,
        headers: { ...headers, 'content-type': MEDIA_TYPES.json },
        body: JSON.stringify(Object.fromEntries(fields)),
      };
  }
}

/** The first page of the contract's read-back for one attempt. @throws Error where the contract has no read-back: a fault of ours. */
export function compileProbe(contract: HttpContract, scope: RequestScope): CompiledRequest {
  const readBack = contract.readBack;
  if (readBack === undefined) throw new Error('contract fault: no read-back');
  const fields = mappedFields(readBack.query, operandTree(contract, scope));
  return { method: 'GET', path: withQuery(readBack.path, fields), headers: { ...contract.headers, accept: 'application/json' }, body: null };
}

/** The echoes of an operation for one attempt; those whose operand resolves to nothing are left out. */
export function compileExpectations(contract: HttpContract, operationName: string, scope: RequestScope): Expectations {
  const tree = operandTree(contract, scope);
  const found: [string, Json][] = [];
  for (const [path, operand] of Object.entries(operationOf(contract, operationName).response.echoes)) {
    const value = resolveOperand(operand, tree);
    if (value !== undefined) found.push([path, value]);
  }
  return Object.fromEntries(found);
}

/** The operation of that name; undefined where the contract has none. */
export function findOperation(contract: HttpContract, name: string): OperationContract | undefined {
  return Object.hasOwn(contract.operations, name) ? contract.operations[name] : undefined;
}

function operationOf(contract: HttpContract, name: string): OperationContract {
  const operation = findOperation(contract, name);
  if (operation === undefined) throw new Error('contract fault: no such operation');
  return operation;
}

/** In the contract's order. Of several mappings of one name, the first counts whose condition holds and whose operand is present. */
function mappedFields(mappings: readonly FieldMapping[], tree: OperandTree): readonly (readonly [string, Json])[] {
  const fields = new Map<string, Json>();
  for (const mapping of mappings) {
    if (fields.has(mapping.name) || (mapping.when !== undefined && !holds(mapping.when, tree))) continue;
    const value = resolveOperand(mapping.from, tree);
    if (value !== undefined) fields.set(mapping.name, value);
  }
  return [...fields];
}

function operationHeaders(operation: OperationContract, tree: OperandTree): Record<string, string> {
  const headers: [string, string][] = [];
  for (const [name, operand] of Object.entries(operation.headers)) {
    const value = headerText(operand, tree);
    if (value !== undefined) headers.push([name, value]);
  }
  return Object.fromEntries(headers);
}

function headerText(operand: Operand, tree: OperandTree): string | undefined {
  const value = resolveOperand(operand, tree);
  if (value === undefined) return undefined;
  const text = scalarText(value);
  if (!HEADER_VALUE.test(text)) throw new Error('contract fault: a header value cannot be sent');
  return text;
}

function formText(fields: readonly (readonly [string, Json])[]): string {
  return new URLSearchParams(fields.map(([name, value]) => [name, scalarText(value)])).toString();
}

function withQuery(path: string, fields: readonly (readonly [string, Json])[]): string {
  return fields.length === 0 ? path : `${path}?${formText(fields)}`;
}

function scalarText(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error('contract fault: only text, numbers and booleans can stand in a form or header');
}
