// Responsibility: the core laws of tasks: open, complete, abandon, ask_human, reopen (design §10).
// Boundary: requirements are computed in tasks.ts.
// Invariants: completion only on requirements and with nothing unresolved; only a person reopens.

import type { Json } from '../../base/json.ts';
import { isBareType } from '../../base/ids.ts';
import { inScope, type Ask } from '../ask.ts';
import { cellKeys } from '../cells.ts';
import { ruleFailure } from '../checks/preconditions.ts';
import type { Draft } from '../draft.ts';
import type { Failing } from '../outcomes.ts';
import { rememberNeeds, requirements, requiredEffects } from '../tasks.ts';
import { succeeded, textArg, type Law } from './law.ts';

export const openTask: Law = {
  always: () => [],
  rules: (draft, ask) => {
    const failing: Failing[] = [];
    const named = [textArg(ask, 'subject'), ...requiredEffects(pretend(ask)).map(({ target }) => target)];
    for (const id of named) {
      const object = id === null ? undefined : draft.object(id);
      if (id !== null && (object === undefined || !inScope(draft, ask.actor, object))) failing.push(ruleFailure('reference:subject', { object: id }));
    }
    for (const { action } of requiredEffects(pretend(ask))) {
      if (draft.sealed.actions.get(action)?.definition.class !== 'effect') failing.push(ruleFailure('required_effect_exists', { action }));
    }
    return failing;
  },
  carryOut: ({ draft, ask }) => {
    const id = isBareType(ask.targetId) ? draft.newId('Task') : ask.targetId;
    const requires: Json = ask.args['requires'] ?? {};
    const asked = { goal: ask.args['goal'] ?? '', subject: textArg(ask, 'subject'), requires };
    const task = draft.create(id, { ...asked, status: 'open', openedAt: draft.now, reasons: [], askedHuman: null, note: null }, ask.actor.id, 'open');
    rememberNeeds(draft, task);
    draft.event('task.opened', id);
    return { ...succeeded(), created: id };
  },
};

/** The task that is about to be opened, so that its requirements are read by the same code. */
function pretend(ask: Ask): Parameters<typeof requiredEffects>[0] {
  return {
    id: 'Task:new',
    type: 'Task',
    revision: 0,
    state: { requires: ask.args['requires'] ?? {} },
    owner: '',
    createdBy: '',
    createdAt: 0,
    createdIn: 0,
    changedIn: 0,
    counters: {},
    mark: null,
  };
}

function mustBe(ask: Ask, ...statuses: readonly string[]): readonly Failing[] {
  const status = String(ask.target?.state['status'] ?? '');
  return statuses.includes(status) ? [] : [ruleFailure('lifecycle', { state: status })];
}

export const completeTask: Law = {
  rules: (draft, ask) => {
    const failing = [...mustBe(ask, 'open')];
    if (ask.target === undefined) return failing;
    const { missing } = requirements(draft, ask.target, ask.actor);
    if (missing.length > 0) failing.push(ruleFailure('requirements_met', { missing: [...missing] }));
    const open = draft.cell<number>(cellKeys.taskOpen(ask.target.id)) ?? 0;
    if (open > 0) failing.push(ruleFailure('nothing_unresolved', { attempts: open }));
    return failing;
  },
  carryOut: ({ draft, ask }) => {
    for (const attempt of counted(draft, ask)) {
      const before = draft.cell<readonly string[]>(`counted:${attempt}`) ?? [];
      draft.setCell(`counted:${attempt}`, [...before, ask.targetId].slice(-32));
    }
    draft.move(ask.targetId, { status: 'completed', note: textArg(ask, 'note'), reasons: [] }, null);
    draft.event('task.completed', ask.targetId);
    return succeeded();
  },
};

function counted(draft: Draft, ask: Ask): readonly string[] {
  return ask.target === undefined ? [] : requirements(draft, ask.target, ask.actor).counted;
}

export const abandonTask: Law = {
  rules: (draft, ask) => {
    const open = draft.cell<number>(cellKeys.taskOpen(ask.targetId)) ?? 0;
    return [...mustBe(ask, 'open', 'incomplete'), ...(open > 0 ? [ruleFailure('nothing_unresolved', { attempts: open })] : [])];
  },
  carryOut: ({ draft, ask }) => {
    draft.move(ask.targetId, { status: 'abandoned', note: textArg(ask, 'note') }, null);
    draft.event('task.abandoned', ask.targetId);
    return succeeded();
  },
};

export const askHuman: Law = {
  rules: (_draft, ask) => mustBe(ask, 'open'),
  carryOut: ({ draft, ask }) => {
    draft.move(ask.targetId, { askedHuman: draft.now, note: textArg(ask, 'note') });
    draft.event('task.human_asked', ask.targetId, { by: ask.actor.id });
    return succeeded();
  },
};

export const reopenTask: Law = {
  rules: (_draft, ask) => mustBe(ask, 'incomplete', 'abandoned', 'completed'),
  carryOut: ({ draft, ask }) => {
    draft.move(ask.targetId, { status: 'open', reasons: [], note: textArg(ask, 'note'), openedAt: ask.target?.state['openedAt'] ?? draft.now }, 'open');
    rememberNeeds(draft, draft.note(ask.targetId, { counters: { refusalsInARow: 0 } }));
    draft.event('task.reopened', ask.targetId, { because: 'person' });
    return succeeded();
  },
};
