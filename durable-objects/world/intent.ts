// Responsibility: the durable intent of an effect: the exact request, and what its read-back will ask with.
// Boundary: compiled from contract and state in the transaction that dispatches; the credential is added when the bytes leave.
// Invariants: no secret in it; read-backs ask with the values of the dispatch, whatever the target has become since.
import { compileExpectations, compileRequest } from '../../src/adapters/http/request.ts';
import type { CompiledRequest, RequestScope } from '../../src/adapters/port.ts';
import { askOf, attemptCell, Draft } from '../../src/kernel/index.ts';
import type { JsonObject, SealedWorld, WorldView } from '../../src/kernel/index.ts';

export interface Intent {
  readonly attempt: string;
  readonly integration: string;
  readonly operation: string;
  readonly correlationId: string;
  readonly request: CompiledRequest;
  readonly expectations: JsonObject;
  readonly scope: RequestScope;
  readonly createdAt: number;
}

export function intentFor(sealed: SealedWorld, view: WorldView, attemptId: string, at: number): Intent {
  const draft = new Draft(sealed, view, at);
  const attempt = draft.required(attemptId);
  const cell = attemptCell(draft, attemptId);
  if (cell === undefined) throw new Error('an effect has no private record');
  const ask = askOf(draft, attempt, cell);
  const { adapter } = ask.action.definition;
  const contract = adapter === undefined ? undefined : sealed.manifest.adapters[adapter.integration];
  if (adapter === undefined || contract === undefined) throw new Error('an effect has no adapter');
  const correlationId = String(attempt.state['correlationId']);
  const defaults = Object.fromEntries(Object.entries(contract.settings).map(([name, setting]) => [name, setting.default]));
  const chosen = draft.object(`Integration:${adapter.integration}`)?.state['settings'] as { readonly [name: string]: string } | undefined;
  const scope: RequestScope = {
    target: { id: ask.targetId, ...ask.target?.state },
    args: ask.args,
    related: Object.fromEntries([...ask.related].map(([name, object]) => [name, { id: object.id, ...object.state }])),
    attempt: { id: attemptId, correlationId, world: `${view.tenant}/${view.world}` },
    settings: { ...defaults, ...chosen },
  };
  return {
    attempt: attemptId,
    integration: adapter.integration,
    operation: adapter.operation,
    correlationId,
    request: compileRequest(contract, adapter.operation, scope),
    expectations: compileExpectations(contract, adapter.operation, scope),
    scope,
    createdAt: at,
  };
}
