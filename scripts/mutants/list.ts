// The mutants: each a small lie in a copy of the kernel, which its tests must catch. White space does not matter in `find`; it must be there exactly once.

import { MANIFEST } from './manifest.ts';
import { mutants, type Mutant } from './mutant.ts';

export type { Mutant } from './mutant.ts';

const CHECKS: readonly Mutant[] = [
  ...mutants('transition/checks/identity.ts', [
    ['check 1: parameters need not fit', 'if (input.parameters.valid) return undefined;', 'return undefined;'],
    ['check 2: any type will do', 'if (!applies(definition.target, target.type)) return', 'if (false) return'],
    ['check 2: an id that is taken may be chosen', '&& draft.object(input.target) !== undefined) {', '&& false) {'],
    ['check 2: a task need not exist', "if (task === undefined || task.type !== 'Task' || !inScope(draft, input.actor, task)) {", 'if (false) {'],
    ['check 3: every target is in scope', 'target === undefined || !inScope(draft, input.actor, target)', 'target === undefined'],
    ['check 3: every task is in scope', '|| !inScope(draft, input.actor, task)', ''],
    ['check 4: any revision will do', 'if (input.expectedRevision !== revision) failing.push', 'if (false) failing.push'],
    ['check 4: old sight will do', 'if (observed.sequence < target.changedIn) failing.push', 'if (false) failing.push'],
    ['check 4: sight of anything will do', "if (observed.subject !== '*' && observed.subject !== target.id)", 'if (false)'],
    ['check 4: a forged cursor will do', "if (observed.kind === 'invalid') return [...failing, unproven];", "if (observed.kind === 'invalid') return failing;"],
    ['check 4: agents need not look', 'return mustObserve(draft, input) ? [...failing, unproven] : failing;', 'return failing;'],
    ['check 6: any role will do', 'if (!input.actor.roles.some((role) => action.definition.roles.includes(role))) return refused;', ''],
    ['check 6: anybody chooses ids', 'return chosen && !choosesIds(draft, input) ? refused : undefined;', 'return undefined;'],
  ]),
  ...mutants('transition/checks/all.ts', [
    ['check 6: the laws have no word on authority', 'if (law?.authority !== undefined && !law.authority(draft, ask)) {', 'if (false) {'],
    ['check 7: approvals are not looked at', 'if (wanted !== undefined) failing.push(wanted);', ''],
    ['check 8: budgets are not looked at', 'failing.push(...checkBudgets(draft, ask, effect));', ''],
    ['check 9: completion is not looked at', '[checkCompletion(draft, ask, effect), checkFence(draft, effect)]', '[checkFence(draft, effect)]'],
    [
      'checks 9 and 10: the fence is not looked at',
      '[checkCompletion(draft, ask, effect), checkFence(draft, effect)]',
      '[checkCompletion(draft, ask, effect)]',
    ],
    ['check 11: the integration is not looked at', 'if (integration !== undefined) failing.push(integration);', ''],
    [
      'precedence: the fence before completion',
      '[checkCompletion(draft, ask, effect), checkFence(draft, effect)]',
      '[checkFence(draft, effect), checkCompletion(draft, ask, effect)]',
    ],
    ['a grant does not look at the revision again', 'about.input === null ? revisionOnly(ask)', 'about.input === null ? []'],
    ['traces show values to whom has not seen them', 'checkRules(draft, ask, sight.length === 0)', 'checkRules(draft, ask, true)'],
  ]),
  ...mutants('transition/checks/outcome-of-failing.ts', [
    ['precedence: the last failing check is the answer', 'const [first] = failing;', 'const first = failing.at(-1) ?? failing[0];'],
  ]),
  ...mutants('transition/checks/preconditions.ts', [
    ['check 5: rules need not hold', "if (truth === 'true') continue;", 'continue;'],
    ['check 5: what is unknown passes', "if (truth === 'unknown' && !ask.withParameters) continue;", "if (truth === 'unknown') continue;"],
    ['task_fits: a closed task will do', "if (task.state['status'] !== 'open') return", 'if (false) return'],
    [
      'task_fits: a task about anything will do',
      "return fits(draft, task, ask) ? undefined : ruleFailure('task_fits', { task: task.id });",
      'return undefined;',
    ],
    ['lifecycle: any state may be left', 'if (put.id === ask.target?.id && own.length > 0 && from.length === 0) return false;', ''],
    ['lifecycle: any state may be reached', 'return next === undefined || next === at || from.some', 'return true || from.some'],
    ['reference: what is not there may be named', 'if (!good) failing.push', 'if (false) failing.push'],
    ['reference: what is out of scope may be named', 'object !== undefined && inScope(draft, ask.actor, object) &&', 'object !== undefined &&'],
    ['unique: two may hold a value', 'if (holder !== undefined && holder !== put.id) failing.push', 'if (false) failing.push'],
    ['constant: any value will do', 'if (value !== undefined && common !== undefined && !same(value, common)) failing.push', 'if (false) failing.push'],
  ]),
  ...mutants('transition/checks/repetition.ts', [
    ['check 10: doubt counts as in flight', "if (attempt?.state['status'] === 'dispatched') return", 'if (true) return'],
    ['completion: a landing under no task counts for every task', 'findLast(({ at }) => at >= openedAt(draft, task))', 'at(-1)'],
    [
      'completion: a landing under a task does not count without one',
      'return cell.landed > 0 ? cell.recent.at(-1) : undefined;',
      'return draft.cell<DoneCell>(cellKeys.done(signature, null))?.attempts.at(-1)?.attempt;',
    ],
  ]),
  ...mutants('transition/checks/resources.ts', [
    [
      'check 8: tries are not bounded',
      'if ((ceilingKnown && retry.ceilingRemaining === 0) || (ask.withParameters && retry.remaining === 0)) {',
      'if (false) {',
    ],
    ['check 8: the ceiling is not looked at', '(ceilingKnown && retry.ceilingRemaining === 0) ||', ''],
    ['check 8: the budget is not looked at', 'if (asked > remaining) failing.push', 'if (false) failing.push'],
    ['check 8: any number may be unresolved', 'if (unresolved >= unresolvedMax) failing.push', 'if (false) failing.push'],
    ['check 11: a pause does not end by itself', 'if (until <= draft.at) return undefined;', ''],
  ]),
];

const APPROVALS: readonly Mutant[] = [
  ...mutants('transition/approvals.ts', [
    ['approvals: nobody is asked', "return ask.action.approvals.filter(({ node }) => evaluate(node, scope).truth !== 'false');", 'return [];'],
    ['approvals: what is unknown asks nobody', "evaluate(node, scope).truth !== 'false'", "evaluate(node, scope).truth === 'true'"],
    ['approvals: a denial does not bind', 'if (signature.denial !== null &&', 'if (false &&'],
    [
      'approvals: a denial binds until evidence that was there before',
      'denial: { approval: approval.id, evidence: draft.sequence }',
      'denial: { approval: approval.id, evidence: 0 }',
    ],
    ['approvals: a grant is anybody’s', "&& standing.state['proposer'] === ask.actor.id) return { kind: 'granted'", ") return { kind: 'granted'"],
    ['approvals: a grant is for any parameters', "same(approval.state['parameters'], ask.args) &&", ''],
    ['approvals: a target that moved keeps its approval', "if (standing.state['targetRevision'] !== ask.target?.revision) return", 'if (false) return'],
    ['approvals: nothing expires', "return (instantMs(textField(approval, 'expiresAt') ?? '') ?? 0) <= draft.at;", 'return false;'],
    ['approvals: two may stand on a fence', '{ ...cell, approval, expired: null }', '{ ...cell, expired: null }'],
    ['approvals: the digest does not hold the parameters', 'about.revision, ask.args, contract', 'about.revision, contract'],
    ['approvals: a task does not wait for them', "openForTask(draft, ask.task?.id ?? null, 1); draft.timer({ kind: 'expiry'", "draft.timer({ kind: 'expiry'"],
  ]),
  ...mutants('transition/laws/approval.ts', [
    ['approvals: proposers decide for themselves', "textField(ask.target, 'proposer') !== ask.actor.id &&", ''],
    ['approvals: agents decide', " && !ask.actor.id.startsWith('Agent:')", ''],
    [
      'approvals: a decision is not final',
      "if (target !== undefined && target.state['status'] === 'pending' && !isExpired(draft, target)) return [];",
      'return [];',
    ],
    ['approvals: a late grant is in time', '&& !isExpired(draft, target)) return [];', ') return [];'],
    [
      'approvals: a grant runs whatever is in the way',
      'if (first === undefined) return runApproved(draft, approval, ask, attemptId);',
      'return runApproved(draft, approval, ask, attemptId);',
    ],
    ['approvals: a fence makes a grant void', "if (kindOf(first) === 'Blocked') {", 'if (false) {'],
    ['approvals: a moved target behind a fence keeps its grant', 'const [first, ...more] = moved.length > 0 ? moved : rest;', 'const [first, ...more] = rest;'],
    [
      'approvals: what was asked is not compared',
      "if (effect === undefined || approvalDigest(draft, ask, about) !== approval.state['digest']) {",
      'if (effect === undefined) {',
    ],
  ]),
  ...mutants('transition/admit.ts', [
    ['approvals: any number may be asked for', 'if (pending >= approvalsMax) {', 'if (false) {'],
    [
      'approvals: a person is asked about what cannot run',
      "const onlyApproval = more.length === 0 && checked.approval.kind === 'ask';",
      "const onlyApproval = checked.approval.kind === 'ask';",
    ],
    ['refusals: no bound for a day', 'if (count >= draft.sealed.manifest.limits.refusalsPerActorDay) {', 'if (false) {'],
    ['refusals: the bound never renews', 'const count = before?.day === today ? before.count : 0;', 'const count = before?.count ?? 0;'],
    [
      'refusals: they make the actor appear (K2)',
      'draft.setCell(key, { day: today, count: count + 1 });',
      'draft.setCell(key, { day: today, count: count + 1 }); appear(draft, input);',
    ],
    [
      'refusals: strangers wear a task out',
      'if (named !== undefined && inScope(draft, input.actor, named)) countRefusal(draft, named);',
      'if (named !== undefined) countRefusal(draft, named);',
    ],
    ['tasks: nothing ends them (I5)', 'considerClosedWays(draft);', ''],
  ]),
  ...mutants('transition/decide.ts', [
    ['approvals: one that expired during the preflight runs', 'if (approval !== undefined && isExpired(draft, approval)) {', 'if (false) {'],
    [
      'preflight: a target that moved meanwhile is no hindrance',
      'ask.effect === undefined || ask.target?.revision !== ask.expectedRevision',
      'ask.effect === undefined',
    ],
    ['preflight: it may be cleared twice (I3)', "cell.phase !== 'preflight' || attempt.state['status'] !== 'dispatched'", 'false'],
    ['read-backs: what was slept through is made up for', 'while (dueAt(readBacks) <= draft.at) readBacks += 1;', ''],
    [
      'read-backs: the schedule has no end',
      'else draft.event(',
      `else draft.timer({ kind: 'read_back', ref: id, at: draft.at + 1000 }); if (false) draft.event(`,
    ],
    ['integrations: a pause ends before its time', "(instantMs(textField(object, 'retryAt') ?? '') ?? 0) <= draft.at", 'true'],
  ]),
];

const EFFECTS: readonly Mutant[] = [
  ...mutants('transition/ask.ts', [
    ['identity: fields are not folded', 'identity[field] = namesObject(action, field) ? value : foldIdentity(value);', 'identity[field] = value;'],
    [
      'identity: the target is not part of it',
      'const signature = digestHex([birth, action.name, parts.target, identity]);',
      'const signature = digestHex([birth, action.name, identity]);',
    ],
    ['fence: every identity has its own', "const fence = definition.fence === 'identity' ?", 'const fence = true ?'],
    ['scope: a refused attempt tells what is there', 'if (object.owner === actor.id && refusedUnseen(object)) return true;', ''],
    ['scope: attempts at what is missing are for all to see', 'return missingType(draft, next) ?? object.type;', 'return object.type;'],
    ['availability: what is not said yet is absent', 'isOpen: (reference) => isSaidByProposal(action, reference)', 'isOpen: () => false'],
  ]),
  ...mutants('transition/dispatch.ts', [
    ['correlation: the epoch is not part of it (I3)', 'ask.task?.id ?? null, chain.epoch]', 'ask.task?.id ?? null]'],
    ['correlation: the task is not part of it', 'effect.signature, ask.task?.id ?? null, chain.epoch]', 'effect.signature, chain.epoch]'],
    ['fence: not closed by a dispatch (I4)', 'draft.setCell(cellKeys.fence(effect.fence), { ...fence, open: id });', ''],
    ['preflight: never', "ask.action.definition.adapter?.recovery === 'read_back' && earlier(draft, effect).length > 0", 'false'],
    [
      'preflight: also where there is no read-back',
      "ask.action.definition.adapter?.recovery === 'read_back' && earlier(draft, effect).length > 0",
      'earlier(draft, effect).length > 0',
    ],
    ['sums: nothing is held (K3)', 'moveSums(draft, { action: ask.action.name, target: ask.targetId, cell }, HOLD);', ''],
    ['retries: a dispatch is no try (I2)', 'countTry(draft, retry, cell, id);', ''],
    ['retries: the key of a cleared preflight is not remembered', ', retryKey: retry.key });', ' });'],
    [
      'settle time: runs from the preflight',
      "phase: 'sent', counted: 'whole', sentAt: draft.at,",
      "phase: 'sent', counted: 'whole', sentAt: draft.required(id).createdAt,",
    ],
    ['tasks: do not wait for their effects', 'openForTask(draft, ask.task?.id ?? null, 1);', ''],
    ['unresolved effects are not counted', 'draft.setCell(cellKeys.unresolved, (draft.cell<number>(cellKeys.unresolved) ?? 0) + 1);', ''],
  ]),
  ...mutants('transition/settle.ts', [
    ['evidence: rank is ignored', 'if (status && finding.rank <= cell.rank) return;', ''],
    ['evidence: is not kept with its attempt', 'if (finding.evidence !== null) appendEvidence(draft, attempt, finding.evidence);', ''],
    ['evidence: contradictions are dropped', 'if (verdict.conflict) raiseConflict(change);', ''],
    ['preflight: a restart makes doubt of it', "if (cell.phase === 'preflight' && finding.says === 'cut_off')", 'if (false)'],
    [
      'preflight: a landing that is found does not stop it',
      "other?.phase === 'preflight' && other.signature === cell.signature && finding.says === 'landed'",
      'false',
    ],
    ['preflight: any landing behind the fence is taken for its own', 'other.signature === cell.signature &&', ''],
    ['fence: a landing does not open it', 'if (held) closeFence(change);', ''],
    ['fence: absence does not open it', 'closeFence(change); if (sent) nextEpoch(draft, cell);', 'if (sent) nextEpoch(draft, cell);'],
    ['epoch: absence does not move it (I3)', 'if (sent) nextEpoch(draft, cell);', ''],
    ['epoch: moves though nothing was sent', 'if (sent) nextEpoch(draft, cell);', 'nextEpoch(draft, cell);'],
    [
      'epoch: a reversal does not move it',
      'nextEpoch(draft, cell); const evidence: JsonObject = { ...cell.evidence, ...finding.fields,',
      'const evidence: JsonObject = { ...cell.evidence, ...finding.fields,',
    ],
    [
      'fence: doubt opens it (I4)',
      'setAttemptCell(draft, attempt.id, { doubtAt: draft.at,',
      'closeFence(change); setAttemptCell(draft, attempt.id, { doubtAt: draft.at,',
    ],
    ['retries: a landing gives nothing back', 'giveBack(draft, cell, cell.counted);', ''],
    ['retries: a lost login uses a try', "giveBack(draft, cell, 'whole');", ''],
    ['retries: a 429 uses a try of its key', "giveBack(draft, cell, 'key');", ''],
    ['retries: a decline leaves tries', 'if (cell.retryKey !== null) exhaust(draft, cell.retryKey);', ''],
    ['sums: absence keeps what was held (K3)', 'moveSums(draft, { action: ask.action.name, target: ask.targetId, cell }, RELEASE);', ''],
    ['sums: a reversal keeps what had landed (K3)', 'moveSums(draft, { action: ask.action.name, target: ask.targetId, cell }, REVERT);', ''],
    ['sums: a landing stays held (K3)', 'held ? LAND_HELD : LAND_FREE', 'LAND_FREE'],
    ['budget: is spent on no day', 'spentDay: utcDay(draft.at), evidence }', 'evidence }'],
    ['settle time: does not run from the restart', "cutAt: finding.says === 'cut_off' ? draft.at : cell.cutAt", 'cutAt: cell.cutAt'],
    ['read-backs: no alarm asks for one', 'if (readable) draft.timer(', 'if (false) draft.timer('],
    ['read-backs: go on after the end of doubt', "draft.untimer('read_back', attempt.id);", ''],
    [
      'completion: a landing is not remembered',
      'draft.setCell(key, { attempts: [...done, { attempt, at: draft.at }].slice(-LIMITS.epochsMax) } satisfies DoneCell);',
      '',
    ],
    ['completion: a reversal forgets every landing', 'filter((each) => each.attempt !== attempt.id) ?? [];', 'filter(() => false) ?? [];'],
    ['treatments: what progressed is not shown', "if (before === 'landed' && verdict.certainty === 'landed' && status) progress(change);", ''],
  ]),
  ...mutants('transition/evidence.ts', [
    ['settle time: is ignored', "input.begunAt !== null && input.begunAt >= settledFrom(draft, attempt, cell) ? 'absent'", "true ? 'absent'"],
    ['evidence: of a foreign connection is applied', '|| cell === undefined || input.foreign)', '|| cell === undefined)'],
    ['evidence: of unknown ids is kept without bound', 'if (kept >= LIMITS.unboundDeliveriesMax) {', 'if (false) {'],
    ['integrations: a lost login is not noticed', "if (input.says === 'login_lost') {", 'if (false) {'],
    ['integrations: a pause lifts a lost login', 'if (usable) pause(draft, integration, input);', 'pause(draft, integration, input);'],
    ['integrations: webhooks speak of the login', "if (input.source === 'answer') integrationAfter(draft, input);", 'integrationAfter(draft, input);'],
    ['integrations: Retry-After is ignored', 'Math.max(input.retryAfterMs ?? 0, backoffMs)', 'backoffMs'],
    ['integrations: no answer ends a row of 429', "if (Number(integration.counters['rateLimitedInARow'] ?? 0) > 0) draft.note", 'if (false) draft.note'],
    ['read-backs: who asked is not answered', 'if (input.asker !== null) answerAsker', 'if (false) answerAsker'],
  ]),
  ...mutants('transition/settle-time.ts', [['settle time: the contract’s is not read', '(contract?.settleMs ?? 0)', '0']]),
  ...mutants('transition/laws/attempt.ts', [
    ['findings: before the settle time', 'if (draft.at < from) failing.push', 'if (false) failing.push'],
    ['findings: without a read-back', "if (recoveryOf(draft, ask) === 'read_back' && !read) failing.push", 'if (false) failing.push'],
    [
      'findings: the proposer says that it did not happen',
      "return !(textArg(ask, 'finding') === 'not_happened' && proposer && (cell?.approval !== null || needsApproval));",
      'return true;',
    ],
    ['findings: of what was never sent', "cell !== undefined && cell.sentAt !== null && state['status']", "cell !== undefined && state['status']"],
    ['withdrawing: what is on its way', "ask.target?.state['status'] === 'awaiting_approval' ? []", 'true ? []'],
    ['withdrawing: what another agent proposed', "textField(ask.target, 'actor') === ask.actor.id || !ask.actor.id.startsWith('Agent:')", 'true'],
    ['retries: a person allows none', 'additional: fence.additional + additional', 'additional: fence.additional'],
    ['retries: allowing some is no evidence', 'if (target !== null) markEvidence(draft, target, null);', ''],
  ]),
];

const COUNTERS: readonly Mutant[] = [
  ...mutants('transition/retry.ts', [
    [
      'retries: the key does not hold the revision',
      '[effect.signature, parts.revision, parts.conditions, parts.connection, parts.evidence]',
      '[effect.signature, parts.conditions, parts.connection, parts.evidence]',
    ],
    ['retries: the key does not hold the evidence', 'parts.connection, parts.evidence]', 'parts.connection]'],
    ['retries: the key does not hold the connection', 'parts.conditions, parts.connection, parts.evidence]', 'parts.conditions, parts.evidence]'],
    ['retries: old evidence renews a key (I2)', 'return parts === null || seen > triedIn ? seen : parts.evidence;', 'return seen;'],
    ['retries: a decline is forgotten', 'return cell.declined ? 0 : Math.max(0, budget - cell.used);', 'return Math.max(0, budget - cell.used);'],
    ['retries: the ceiling is not counted', '{ ...fence, used: fence.used + 1 }', 'fence'],
    ['retries: a renewal is not recorded', "if (retry.renewedBy.length > 0) draft.event('retry.renewed'", "if (false) draft.event('retry.renewed'"],
  ]),
  ...mutants('transition/sums.ts', [
    ['sums: lines are not counted apart', '...cell.groups.map((group) => cellKeys.group(action, target, group))', ''],
    ['budget: what is held is free', 'remaining: Math.max(0, limit - spent - held)', 'remaining: Math.max(0, limit - spent)'],
    ['budget: a day does not end', "const fresh = state['period'] === 'utc_day' &&", 'const fresh = false &&'],
    ['budget: a reversal gives back what another day spent', 'const undone = step.landed < 0 &&', 'const undone = false &&'],
  ]),
  ...mutants('transition/tasks.ts', [
    ['tasks: refusals in a row do not end them', 'if (inARow >= draft.sealed.manifest.limits.refusalsInARowPerTask) endIncomplete', 'if (false) endIncomplete'],
    ['tasks: what was admitted does not end a row', 'draft.note(task.id, { counters: { refusalsInARow: 0 } });', ';'],
    ['tasks: a reversal does not open them again', "if (task === undefined || task.state['status'] !== 'completed') continue;", 'continue;'],
    ['tasks: a landing from before counts', 'findLast(({ at }) => at >= openedAt(draft, task.id))', 'at(-1)'],
    ['tasks: their condition is not looked at', "evaluate(node, scope).truth !== 'true') missing.push", 'false) missing.push'],
    [
      'tasks: completed effects are not shown',
      '[...(draft.cell<readonly string[]>(shown) ?? []), effect.attempt]',
      '[...(draft.cell<readonly string[]>(shown) ?? [])]',
    ],
  ]),
  ...mutants('transition/terminality.ts', [
    ['tasks: what waits is ended (I5)', 'if ((draft.cell<number>(cellKeys.taskOpen(task.id)) ?? 0) > 0) return;', ''],
    ['tasks: the tries of others do not end them', "considerNeeding(draft, textField(object, 'target') ?? '');", ''],
    ['tasks: a change of the object does not end them', 'considerNeeding(draft, object.id);', ''],
  ]),
  ...mutants('transition/availability.ts', [['tasks: a fence ends them', "'in_flight', 'in_doubt',", '']]),
  ...mutants('transition/laws/task.ts', [
    ['tasks: complete without their requirements', 'if (missing.length > 0) failing.push', 'if (false) failing.push'],
    [
      'tasks: complete while something is unresolved',
      "if (open > 0) failing.push(ruleFailure('nothing_unresolved'",
      "if (false) failing.push(ruleFailure('nothing_unresolved'",
    ],
    ['tasks: require what is no effect', "if (draft.sealed.actions.get(action)?.definition.class !== 'effect') failing.push", 'if (false) failing.push'],
  ]),
  ...mutants('transition/laws/outside.ts', [
    ['integrations: a connection has no number', "connection: Number(before['connection'] ?? 0) + 1", "connection: Number(before['connection'] ?? 0)"],
    ['integrations: any endpoint will do', "if (contract === undefined || ownField(ask.facts, 'endpointAllowed') !== true) return", 'if (false) return'],
    ['evidence: of a person renews nothing', 'markEvidence(draft, ask.targetId, null);', ''],
  ]),
  ...mutants('transition/draft.ts', [
    [
      'revision: moves twice in a transition (K8)',
      'revision: moved && first ? before.revision + 1 : before.revision',
      'revision: moved ? before.revision + 1 : before.revision',
    ],
    [
      'revision: moves though nothing changed (K8)',
      'const moved = Object.keys(patch).some((field) => !same(patch[field], before.state[field]));',
      'const moved = true;',
    ],
    ['ids: are counters', 'return madeId(type, [this.view.birthId, this.sequence, this.#made]);', 'return `${type}:${this.sequence}-${this.#made}`;'],
    ['purity: asks the clock (K1)', 'return isoInstant(this.at);', 'return isoInstant(this.at + (Date.now() % 2));'],
  ]),
  ...mutants('transition/attempts.ts', [
    ['refusals: each makes a new attempt', 'if (known !== undefined) {', 'if (false) {'],
    ['refusals: all actors share one attempt', 'draft.view.birthId, input.actor.id, input.action', 'draft.view.birthId, input.action'],
  ]),
  ...mutants('transition/certainty.ts', [
    ['certainty: landed returns to doubt (K5)', "unclear: keep('landed'),", "unclear: to('in_doubt', 'OutcomeAmbiguous'),"],
    ['certainty: a lost answer is a failure', "unclear: to('in_doubt', 'OutcomeAmbiguous'),", "unclear: to('none', 'FailedTransiently'),"],
    ['certainty: nonsense is success', "violated: to('in_doubt', 'ProtocolViolated'),", "violated: to('landed', 'Succeeded'),"],
  ]),
];

const AROUND: readonly Mutant[] = [
  ...mutants('log/replay.ts', [
    ['log: hashes are not looked at (K6)', 'if (hashOf(record) !== record.hash) return', 'if (false) return'],
    ['log: links are not looked at', 'if (record.prev !== prev) return', 'if (false) return'],
    ['log: replay believes what it reads', 'if (again.record.hash !== record.hash) {', 'if (false) {'],
    ['log: any manifest replays it', 'if (record.manifest !== sealed.hash) return', 'if (false) return'],
  ]),
  ...mutants('log/record.ts', [['log: the hash does not cover the events', 'events: digest(record.events as unknown as Json),', '']]),
  ...mutants('observation/compile.ts', [
    ['frame: blockers are left out', 'blockers: blockerEntries(draft, actor),', 'blockers: [],'],
    ['frame: what is too much is not counted', '...(objects.left > 0 ? { objects: objects.left } : {}),', ''],
    ['frame: is filled beyond its bytes', 'if (bytes + size > maxBytes) break;', ''],
  ]),
  ...mutants('observation/sight.ts', [
    ['frame: what is out of scope displaces what is in it', 'if (objects.length === limit || page.length < size)', 'if (true)'],
  ]),
  ...mutants('observation/sections.ts', [
    ['frame: completed effects out of scope are shown', 'object !== undefined && inScope(draft, actor, object)', 'object !== undefined'],
  ]),
  ...mutants('observation/object-view.ts', [
    ['frame: text from outside has no cap', 'return value.length > bounds.text ?', 'return false ?'],
    ['frame: characters are cut in half', '${cut(value, bounds.text)}…', '${value.slice(0, bounds.text)}…'],
  ]),
];

export const MUTANTS: readonly Mutant[] = [...CHECKS, ...APPROVALS, ...EFFECTS, ...COUNTERS, ...AROUND, ...MANIFEST];
