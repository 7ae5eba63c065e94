// Responsibility: every bound of the kernel and of the wire, in one file, each with its unit and its reason.
// Boundary: numbers only. A manifest may tighten some of them (limits, frame).
// Invariants: none is raised at run time; each has its unit in its name or its comment.

/** The number of the kernel's semantics, recorded in each log entry. History: 1 = first release. */
export const KERNEL_VERSION = 1;

export const LIMITS = {
  /** Bytes of a request body (docs/http.md). */
  bodyBytesMax: 1_048_576,
  /** Nesting of a request body, counted before it is parsed. */
  bodyDepthMax: 32,
  /** Bytes of canonical parameters that a proposal may carry; larger ones are invalid_parameters. */
  parameterBytesMax: 32_768,
  /** Characters of any string in a schema that names no bound of its own. */
  stringLengthMax: 4_096,
  /** Items of any list in a schema that names no bound of its own. */
  listItemsMax: 100,
  /** Defects of parameters reported in one refusal. */
  parameterErrorsMax: 16,
  /** Characters of a path in a refusal; longer ones are cut. */
  pathLengthMax: 128,
  /** Nesting, nodes and list items of one condition. */
  conditionDepthMax: 16,
  conditionNodesMax: 256,
  conditionListMax: 100,
  /** Bytes of one condition that comes with a proposal (a task's requirement). */
  conditionBytesMax: 4_096,
  /** Hops of a to-one path in scopes and related names. */
  pathHopsMax: 4,
  /** Attempts on attempts on … that are followed to what they are about. */
  attemptHopsMax: 16,
  /** What `count` counts up to. */
  countMax: 1_000,
  /** Actions named in `permittedNext`. */
  permittedNextMax: 8,
  /** Effects that a task may require. */
  taskEffectsMax: 16,
  /** Earlier epochs that a preflight looks for. */
  epochsMax: 64,
  /** Read-backs by alarm after doubt began, seconds; after the last one a person settles it. */
  readBackScheduleSeconds: [2, 5, 10, 25, 60, 300, 1_800, 7_200, 21_600, 86_400],
  /** Seconds up to which `Retry-After` is believed. */
  retryAfterSecondsMax: 86_400,
  /** Webhook deliveries without a known correlation id that a world keeps. */
  unboundDeliveriesMax: 500,
  /** Refused webhook deliveries that a world keeps an audit row of; older rows give way. */
  refusedDeliveriesMax: 1_000,
  /** Days for which a delivery id is remembered. */
  deliveryDays: 8,
  /** Hours for which an Idempotency-Key is remembered. */
  idempotencyHours: 24,
  /** Rows of one page of a list. */
  pageMax: 100,
  /** Characters of a local id. */
  localIdMax: 128,
  /** Completed effects that a frame shows of one object or task; older ones are counted by the sums. */
  completedShownMax: 8,
  /** Objects next to the location that a frame considers, per relationship. */
  neighboursMax: 10,
  /** Objects changed last that a frame looks at for its optional part. */
  recentMax: 24,
  /** Changes since a cursor that a frame lists. */
  changesShownMax: 50,
  /** Characters of text from outside that a frame shows of one field. */
  frameTextMax: 512,
  /** The same in the entries that are never dropped, where an object id (193) must be whole; and items of a list there. */
  entryTextMax: 200,
  entryItemsMax: 20,
  /** The latest pieces of evidence that a frame names of one effect; the attempt names more. */
  evidenceShownMax: 4,
} as const;

/** Largest integer of anything hashed or summed: 2^53 - 1. */
export const INTEGER_MAX = Number.MAX_SAFE_INTEGER;
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
