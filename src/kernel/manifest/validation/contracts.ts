// Responsibility: contracts agree with themselves: schemas, paths into them, status tables, settings, webhooks.
// Boundary: what is sent (headers, bodies, queries) is in requests.ts; what answers mean is classify.ts's.
// Invariants: a path that decides something (status, echo, more pages) is one that the schema promises.

import { isJsonList, isJsonObject, ownField, type Json, type JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { pointer } from '../../base/text.ts';
import { openSchemaDefects, patternDefect } from '../schema.ts';
import type { AdapterContract, OperationContract, ReadBackContract, WebhookContract } from '../types.ts';
import type { Findings } from './findings.ts';
import type { Parts } from './parts.ts';
import { requiredOf } from './schemas.ts';

const SETTING_LENGTH_MAX = 512;

interface ContractAt {
  readonly contract: AdapterContract;
  readonly at: string;
}

export function checkContracts(parts: Parts, found: Findings): void {
  for (const [name, contract] of parts.adapters) {
    const at = pointer('/adapters', name);
    checkSettings({ contract, at }, found);
    checkErrors({ contract, at }, found);
    for (const [operation, definition] of Object.entries(contract.operations)) {
      checkOperation(definition, pointer(pointer(at, 'operations'), operation), found);
    }
    if (contract.readBack !== undefined) checkReadBack(contract.readBack, pointer(at, 'readBack'), found);
    if (contract.webhook !== undefined) checkWebhook({ contract, at: pointer(at, 'webhook') }, contract.webhook, found);
    checkUse(parts, { name, contract, at }, found);
  }
}

function checkSettings({ contract, at }: ContractAt, found: Findings): void {
  for (const [name, setting] of Object.entries(contract.settings)) {
    const path = pointer(pointer(at, 'settings'), name);
    const code = patternDefect(setting.pattern, SETTING_LENGTH_MAX);
    if (code !== undefined) found.addAll([{ path: pointer(path, 'pattern'), code, detail: setting.pattern }]);
    else if (!new RegExp(setting.pattern, 'u').test(setting.default)) found.error(pointer(path, 'default'), 'does_not_fit', setting.default);
  }
}

function checkErrors({ contract, at }: ContractAt, found: Findings): void {
  const path = pointer(at, 'errors');
  const { schema, codePath, rows } = contract.errors;
  if (!isSchema(schema, pointer(path, 'schema'), found)) return;
  mustBePromised({ schema, path: codePath, at: pointer(path, 'codePath') }, found);
  for (const [index, row] of rows.entries()) {
    if (row.statuses.includes(429)) found.error(`${path}/rows/${index}/statuses`, 'asked_to_wait_is_no_error', '429');
  }
}

function checkOperation({ response }: OperationContract, at: string, found: Findings): void {
  const path = pointer(at, 'response');
  if (!isSchema(response.schema, pointer(path, 'schema'), found)) return;
  const { schema } = response;
  for (const echo of Object.keys(response.echoes)) mustBePromised({ schema, path: echo, at: pointer(pointer(path, 'echoes'), echo) }, found);
  if (response.status === undefined) return;
  const status = mustBePromised({ schema, path: response.status.path, at: `${path}/status/path` }, found);
  const words = isJsonList(status?.['enum']) ? status['enum'].map(String) : [];
  const table = Object.keys(response.status.means);
  for (const word of words) if (!table.includes(word)) found.error(`${path}/status/means`, 'status_without_meaning', word, nearest(word, table));
}

function checkReadBack(readBack: ReadBackContract, at: string, found: Findings): void {
  if (!isSchema(readBack.pageSchema, pointer(at, 'pageSchema'), found)) return;
  const schema = readBack.pageSchema;
  mustBePromised({ schema, path: readBack.paging.morePath, at: `${at}/paging/morePath` }, found);
  const items = mustBePromised({ schema, path: readBack.itemsPath, at: pointer(at, 'itemsPath') }, found);
  if (items === undefined) return;
  const item = items['items'];
  if (items['type'] !== 'array' || !isJsonObject(item)) return found.error(pointer(at, 'itemsPath'), 'not_a_list', readBack.itemsPath);
  mustBePromised({ schema: item, path: readBack.paging.cursorPath, at: `${at}/paging/cursorPath` }, found);
}

function checkWebhook({ contract, at }: ContractAt, webhook: WebhookContract, found: Findings): void {
  const operation = Object.hasOwn(contract.operations, webhook.operation) ? contract.operations[webhook.operation] : undefined;
  if (operation === undefined)
    found.error(pointer(at, 'operation'), 'unknown_operation', webhook.operation, nearest(webhook.operation, Object.keys(contract.operations)));
  const byStatus = Object.values(webhook.events).includes('status');
  if (byStatus && webhook.statusPath === undefined) found.error(pointer(at, 'statusPath'), 'missing_key', 'statusPath');
  if (byStatus && operation !== undefined && operation.response.status === undefined)
    found.error(pointer(at, 'operation'), 'no_status_table', webhook.operation);
  if (!isSchema(webhook.schema, pointer(at, 'schema'), found)) return;
  const { schema } = webhook;
  if (webhook.deliveryPath !== undefined) mustBePromised({ schema, path: webhook.deliveryPath, at: pointer(at, 'deliveryPath') }, found);
  if (webhook.livemodePath !== undefined) mustBePromised({ schema, path: webhook.livemodePath, at: pointer(at, 'livemodePath') }, found);
  if (byStatus && webhook.statusPath !== undefined) mustBePromised({ schema, path: webhook.statusPath, at: pointer(at, 'statusPath') }, found);
}

function isSchema(schema: JsonObject, at: string, found: Findings): boolean {
  const defects = openSchemaDefects(schema, at);
  found.addAll(defects);
  return defects.length === 0;
}

interface PathAt {
  readonly schema: JsonObject;
  readonly path: string;
  readonly at: string;
}

/** The schema at a path along which every field is required; a defect where there is none. */
function mustBePromised({ schema, path, at }: PathAt, found: Findings): JsonObject | undefined {
  let place: Json | undefined = schema;
  for (const step of path.split('.')) {
    const promised: boolean = isJsonObject(place) && requiredOf(place).includes(step);
    place = promised ? ownField(ownField(place, 'properties'), step) : undefined;
  }
  return isJsonObject(place) ? place : found.error(at, 'not_promised_by_the_schema', path);
}

function checkUse(parts: Parts, { name, contract, at }: ContractAt & { readonly name: string }, found: Findings): void {
  const used = [...parts.actions.values()].flatMap(({ adapter }) => (adapter?.integration === name ? [adapter.operation] : []));
  for (const operation of Object.keys(contract.operations)) {
    if (!used.includes(operation)) found.warning(pointer(pointer(at, 'operations'), operation), 'never_used', operation);
  }
}
