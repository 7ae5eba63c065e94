// Responsibility: what contracts send, checked under every action that uses them: operands exist there, and the correlation id is among them.
// Boundary: the operands of requests (adapters/http/operands.ts) know `$settings`, `{first: […]}` and whole objects, and compute nothing.
// Invariants: no header that the shell sets itself; every effect carries its correlation id, since nothing else is matched by.

import { isJsonList, isJsonObject, ownField, type Json } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { pointer } from '../../base/text.ts';
import { NAME, parseReference } from '../../condition/reference.ts';
import type { AdapterContract, FieldMapping, OperationContract } from '../types.ts';
import { ActionTypes } from './action-types.ts';
import type { Findings } from './findings.ts';
import type { Parts } from './parts.ts';
import { checkWhen } from './rules.ts';

const HEADERS_OF_THE_SHELL = ['accept', 'authorization', 'connection', 'content-length', 'content-type', 'cookie', 'host', 'transfer-encoding'];
const SETTING = '$settings.';
const CORRELATION = '$attempt.correlationId';

interface RequestAt {
  readonly contract: AdapterContract;
  readonly types: ActionTypes;
}

export function checkRequests(parts: Parts, found: Findings): void {
  for (const [name, contract] of parts.adapters) {
    const at = pointer('/adapters', name);
    checkHeaders(contract.headers, pointer(at, 'headers'), found);
    for (const [operation, { headers }] of Object.entries(contract.operations))
      checkHeaders(headers, `${pointer(`${at}/operations`, operation)}/headers`, found);
    for (const action of parts.actions.values()) {
      const { adapter } = action;
      if (adapter?.integration !== name) continue;
      const request: RequestAt = { contract, types: new ActionTypes(parts, action, { kind: 'request' }) };
      const operation = Object.hasOwn(contract.operations, adapter.operation) ? contract.operations[adapter.operation] : undefined;
      if (operation !== undefined) checkOperation(request, operation, pointer(pointer(at, 'operations'), adapter.operation), found);
      if (contract.readBack !== undefined && adapter.recovery === 'read_back') checkMappings(request, contract.readBack.query, `${at}/readBack/query`, found);
    }
  }
}

function checkHeaders(headers: { readonly [name: string]: Json }, at: string, found: Findings): void {
  for (const name of Object.keys(headers)) if (HEADERS_OF_THE_SHELL.includes(name)) found.error(pointer(at, name), 'header_of_the_shell', name);
}

function checkOperation(request: RequestAt, operation: OperationContract, at: string, found: Findings): void {
  const { headers, body, response } = operation;
  for (const [name, operand] of Object.entries(headers)) checkOperand(request, operand, pointer(pointer(at, 'headers'), name), found);
  checkMappings(request, body, pointer(at, 'body'), found);
  for (const [path, operand] of Object.entries(response.echoes)) checkOperand(request, operand, pointer(`${at}/response/echoes`, path), found);
  const sent = [...Object.values(headers), ...body.filter(({ when }) => when === undefined).map(({ from }) => from)];
  if (!sent.some(sendsCorrelation)) found.error(at, 'correlation_id_not_sent', CORRELATION);
}

function checkMappings(request: RequestAt, mappings: readonly FieldMapping[], at: string, found: Findings): void {
  for (const [index, { from, when }] of mappings.entries()) {
    checkOperand(request, from, `${at}/${index}/from`, found);
    if (when !== undefined) checkWhen(request.types, when, `${at}/${index}/when`, found);
  }
}

function checkOperand(request: RequestAt, operand: Json, at: string, found: Findings): void {
  if (typeof operand === 'string') return checkText(request, operand, at, found);
  if (isJsonList(operand)) {
    for (const [index, item] of operand.entries()) checkOperand(request, item, pointer(at, index), found);
  } else if (isJsonObject(operand)) {
    for (const [key, inner] of Object.entries(operand)) checkOperand(request, inner, pointer(at, key), found);
  }
}

function checkText({ contract, types }: RequestAt, text: string, at: string, found: Findings): void {
  if (!text.startsWith('$') || text.startsWith('$$')) return;
  if (text.startsWith(SETTING)) {
    const name = text.slice(SETTING.length);
    if (ownField(contract.settings as unknown as Json, name) === undefined)
      found.error(
        at,
        'unknown_setting',
        text,
        nearest(
          name,
          Object.keys(contract.settings).filter((each) => NAME.test(each)),
        ),
      );
    return;
  }
  const { reference, defect } = parseReference(text);
  if (reference === undefined) found.addAll([{ path: at, ...defect }]);
  else if (types.type(reference) === undefined) found.error(at, 'unknown_path', text, nearest(text, types.suggestions(reference)));
}

function sendsCorrelation(operand: Json): boolean {
  if (isJsonList(operand)) return operand.some(sendsCorrelation);
  return isJsonObject(operand) ? Object.values(operand).some(sendsCorrelation) : operand === CORRELATION;
}
