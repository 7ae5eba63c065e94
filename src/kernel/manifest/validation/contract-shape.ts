// Responsibility: the closed shape of an HTTP contract (types.ts "adapters").
// Boundary: form only; that paths, operations and mappings agree is contract.ts's.
// Invariants: statuses, ranks, time-outs and sizes are bounded; no header that the shell itself sets can be named.

import { NAME } from '../../condition/reference.ts';
import { anything, byValue, closed, either, integer, listOf, mapOf, named, object, oneOf, setOf, text, type Shape } from './shape.ts';

const OPERATION_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const HEADER_NAME = /^[a-z][a-z0-9-]{0,63}$/;
/** A word of the provider's: a status, an event type, a code. */
const PROVIDER_WORD = /^[A-Za-z0-9_.:-]{1,64}$/;
const ORIGIN = /^https:\/\/[a-z0-9.-]{1,253}(?::\d{1,5})?$/;
const REQUEST_PATH = /^\/[!-~]{0,511}$/;
/** Own keys, dotted: `data.object.id`. */
const DATA_PATH = /^[A-Za-z0-9_]{1,64}(?:\.[A-Za-z0-9_]{1,64}){0,7}$/;
const PATH = named(DATA_PATH, 'not_a_path');

const MAPPING = closed({ name: text(128, 1), from: anything }, { when: anything });
const MEANING = closed({ means: oneOf('landed', 'failed'), rank: integer(1, 1_000) });
const EVIDENCE = mapOf(PATH, 32, NAME);

const OPERATION = closed({
  method: oneOf('POST', 'PUT', 'PATCH', 'DELETE', 'GET'),
  path: named(REQUEST_PATH, 'not_a_path'),
  encoding: oneOf('form', 'json', 'none'),
  headers: mapOf(anything, 32, HEADER_NAME),
  body: listOf(MAPPING, 100),
  response: closed(
    { schema: object, echoes: mapOf(anything, 32, DATA_PATH), evidence: EVIDENCE },
    { status: closed({ path: PATH, means: mapOf(MEANING, 64, PROVIDER_WORD) }) },
  ),
});

const ERRORS = closed({
  schema: object,
  codePath: PATH,
  rows: listOf(
    closed({ statuses: setOf(integer(400, 499), 32, 1), means: oneOf('declined', 'login_lost') }, { codes: setOf(named(PROVIDER_WORD), 100, 1) }),
    64,
  ),
});

const READ_BACK = closed({
  path: named(REQUEST_PATH, 'not_a_path'),
  query: listOf(MAPPING, 32),
  pageSchema: object,
  itemsPath: PATH,
  correlationPath: PATH,
  statusPath: PATH,
  evidence: EVIDENCE,
  paging: closed({ morePath: PATH, cursorParameter: text(64, 1), cursorPath: PATH, pagesMax: integer(1, 1_000) }),
});

const WEBHOOK = closed(
  {
    scheme: oneOf('stripe', 'standard'),
    toleranceSeconds: integer(1, 3_600),
    schema: object,
    typePath: PATH,
    events: mapOf(either('status', MEANING), 100, PROVIDER_WORD),
    correlationPath: PATH,
    evidence: EVIDENCE,
    operation: text(64, 1),
  },
  { deliveryPath: PATH, correlationTag: text(64, 1), statusPath: PATH, livemodePath: PATH },
);

const HTTP = closed(
  {
    kind: oneOf('http'),
    description: text(1_000),
    origins: setOf(named(ORIGIN, 'not_an_origin'), 16, 1),
    auth: oneOf('bearer'),
    livePrefixes: setOf(text(64, 1), 16),
    settings: mapOf(closed({ description: text(1_000), default: text(512), pattern: text(512, 1) }), 32, NAME),
    headers: mapOf(named(/^[!-~](?:[ -~]{0,254}[!-~])?$/, 'not_a_header_value'), 32, HEADER_NAME),
    operations: mapOf(OPERATION, 64, OPERATION_NAME),
    errors: ERRORS,
    timeoutMs: integer(1, 60_000),
    settleMs: integer(0, 86_400_000),
    responseBytesMax: integer(1, 16_777_216),
  },
  { readBack: READ_BACK, webhook: WEBHOOK },
);

export const CONTRACT: Shape = byValue('kind', { http: HTTP });
