// Responsibility: the core laws about the outside: integrations, evidence, budgets.
// Boundary: no call is made; the shell encrypts credentials and gives facts derived from them (`live`).
// Invariants: a person connecting anew moves the connection number, and so the retry keys; secrets are references by now.

import type { JsonObject } from '../../base/json.ts';
import { isJsonObject, ownField } from '../../base/json.ts';
import { cellKeys } from '../cells.ts';
import { markEvidence } from '../retry.ts';
import { ruleFailure } from '../checks/preconditions.ts';
import { succeeded, textArg, type Law } from './law.ts';

export const connectIntegration: Law = {
  always: () => [],
  rules: (draft, ask) => {
    const name = ask.targetId.slice('Integration:'.length);
    const contract = Object.hasOwn(draft.sealed.manifest.adapters, name) ? draft.sealed.manifest.adapters[name] : undefined;
    if (contract === undefined || ownField(ask.facts, 'endpointAllowed') !== true) return [ruleFailure('endpoint_is_compiled')];
    return ownField(ask.facts, 'settingsFit') === true ? [] : [ruleFailure('setting_is_compiled')];
  },
  carryOut: ({ draft, ask, input }) => {
    const before = ask.target?.state ?? {};
    const settings: JsonObject = isJsonObject(ask.args['settings']) ? ask.args['settings'] : {};
    draft.move(ask.targetId, {
      status: 'connected',
      endpoint: ask.args['endpoint'] ?? null,
      settings,
      connection: Number(before['connection'] ?? 0) + 1,
      live: ownField(input.facts, 'live') ?? false,
      retryAt: null,
      cause: 'connected by a person',
    });
    draft.note(ask.targetId, { counters: { rateLimitedInARow: 0 } });
    draft.setCell(cellKeys.secrets(ask.targetId), { credential: textArg(ask, 'credential'), webhookSecret: textArg(ask, 'webhookSecret') });
    draft.untimer('retry', ask.targetId);
    draft.event('integration.connected', ask.targetId, { by: ask.actor.id });
    return succeeded();
  },
};

export const disconnectIntegration: Law = {
  carryOut: ({ draft, ask }) => {
    draft.move(ask.targetId, { status: 'disconnected', retryAt: null, cause: 'disconnected by a person' });
    draft.setCell(cellKeys.secrets(ask.targetId), null);
    draft.untimer('retry', ask.targetId);
    draft.event('integration.disconnected', ask.targetId, { by: ask.actor.id });
    return succeeded();
  },
};

export const recordEvidence: Law = {
  carryOut: ({ draft, ask }) => {
    const id = draft.newId('Evidence');
    draft.create(
      id,
      { about: ask.targetId, source: 'person', finding: textArg(ask, 'finding') ?? '', note: textArg(ask, 'note'), by: ask.actor.id, at: draft.now },
      ask.actor.id,
    );
    markEvidence(draft, ask.targetId, null);
    draft.event('evidence.recorded', id, { about: ask.targetId, by: ask.actor.id });
    return succeeded({ evidence: id });
  },
};

export const setBudget: Law = {
  carryOut: ({ draft, ask }) => {
    draft.move(ask.targetId, { limit: ask.args['limit'] ?? 0 });
    draft.event('budget.set', ask.targetId, { limit: ask.args['limit'] ?? 0, by: ask.actor.id });
    return succeeded();
  },
};
