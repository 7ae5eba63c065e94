// From a world's source to its manifest: the core merged in, every default declared, canonical bytes, their hash. Same source, same bytes.
import { canonical, CORE, coreFor, KERNEL_VERSION, sha256Hex, TREATED } from '../kernel/index.ts';
import type { ActionDefinition, CoreModule, Json, Manifest, Treatment, TypeDefinition, WorldLimits } from '../kernel/index.ts';
import type { ActionSource, TypeSource, WorldSource } from './world-source.ts';

export interface CompiledWorld {
  readonly manifest: Manifest;
  /** Canonical JSON: what `manifest.json` holds, byte for byte. */
  readonly text: string;
  readonly hash: string;
}

export const DEFAULT_LIMITS: WorldLimits = { unresolvedMax: 128, approvalsMax: 64, refusalsPerActorDay: 1000, refusalsInARowPerTask: 50 };
const DEFAULT_FRAME_BYTES = 1_048_576;
const DEFAULT_EVIDENCE_DAYS = 90;
const NOTHING: Treatment = { changes: [], events: [] };

/** Compiles; what is wrong with the manifest is `validateManifest`'s to say. Throws only where a name belongs to the core. */
export function compileWorld(source: WorldSource): CompiledWorld {
  const core = coreOf(source);
  for (const section of ['roles', 'types', 'actions'] as const) {
    const taken = Object.keys(source[section] ?? {}).find((name) => Object.hasOwn(core[section], name));
    if (taken !== undefined) throw new Error(`${taken} belongs to the core module, which no world alters`);
  }
  const roles = { ...core.roles, ...source.roles };
  const manifest = {
    format: 1,
    kernel: KERNEL_VERSION,
    name: source.name,
    version: source.version,
    description: source.description,
    roles,
    types: { ...core.types, ...mapped(source.types, (type) => typeOfSource(type, Object.keys(roles))) },
    actions: { ...core.actions, ...mapped(source.actions, actionOfSource) },
    budgets: source.budgets ?? {},
    adapters: source.adapters ?? {},
    frame: { maxBytes: source.frameMaxBytes ?? DEFAULT_FRAME_BYTES, rank: ['changes', 'objects'] },
    limits: { ...DEFAULT_LIMITS, ...source.limits },
    audit: { evidenceDays: source.evidenceDays ?? DEFAULT_EVIDENCE_DAYS, receipts: source.receipts ?? [] },
    compatibleStateVersions: [source.version],
    scenarios: Object.entries(source.scenarios ?? {}).map(([name, scenario]) => ({ name, digest: `sha256:${sha256Hex(canonical(scenario as Json))}` })),
  } satisfies Manifest;
  const text = canonical(manifest as unknown as Json);
  return { manifest, text, hash: `sha256:${sha256Hex(text)}` };
}

function mapped<In, Out>(entries: { readonly [name: string]: In }, make: (entry: In, name: string) => Out): { readonly [name: string]: Out } {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, make(entry, name)]));
}

/** The core with what the world may say of it. Roles of the world see what people see, unless something else is said. */
function coreOf(source: WorldSource): CoreModule {
  const core = coreFor(Object.values(source.adapters ?? {}));
  const { roles = {}, types = {} } = source.core ?? {};
  for (const [section, names] of [
    ['types', Object.keys(types)],
    ['actions', Object.keys(roles)],
  ] as const) {
    const unknown = names.find((name) => !Object.hasOwn(core[section], name));
    if (unknown !== undefined) throw new Error(`the core module has no ${unknown}`);
  }
  const everyone = Object.fromEntries(Object.keys(source.roles ?? {}).map((role) => [role, 'all'] as const));
  return {
    roles: CORE.roles,
    types: mapped(core.types, (type, name) => ({
      ...type,
      observe: { ...type.observe, ...everyone, ...types[name]?.observe },
      scope: { ...type.scope, ...everyone, ...types[name]?.scope },
    })),
    actions: mapped(core.actions, (action, name) => ({ ...action, roles: [...action.roles, ...(roles[name] ?? [])] })),
  };
}

function typeOfSource(source: TypeSource, roles: readonly string[]): TypeDefinition {
  const everyone = Object.fromEntries(roles.map((role) => [role, 'all'] as const));
  const { observe = everyone, scope = everyone, unique = [], relationships = {}, ...rest } = source;
  return { ...rest, unique, relationships, observe, scope };
}

function actionOfSource(source: ActionSource): ActionDefinition {
  const { effect } = source;
  const kind = effect === undefined ? 'internal' : 'effect';
  const success: Treatment = { changes: source.changes ?? [], events: source.events ?? [] };
  return {
    description: source.description,
    target: source.creates === undefined ? [...(source.on ?? [])] : [source.creates],
    ...(source.creates === undefined ? {} : { creates: true }),
    class: kind,
    roles: source.roles,
    input: source.input,
    secrets: [],
    related: source.related ?? {},
    rules: source.rules ?? [],
    approvals: source.approvals ?? [],
    identity: effect?.identity ?? [],
    fence: effect?.fence ?? 'target',
    ...(effect?.amount === undefined ? {} : { amount: effect.amount }),
    retry: effect?.retry ?? { budget: 0, ceiling: 0 },
    ...(effect?.spends === undefined ? {} : { spends: effect.spends }),
    ...(effect === undefined ? {} : { adapter: { recovery: 'human', ...effect.adapter } }),
    outcomes: { ...Object.fromEntries(TREATED[kind].map((outcome) => [outcome, NOTHING])), Succeeded: success },
    ...(effect?.progressed === undefined ? {} : { progressed: { changes: effect.progressed, events: [] } }),
    ...(effect?.reverted === undefined ? {} : { reverted: { changes: effect.reverted, events: [] } }),
  };
}
