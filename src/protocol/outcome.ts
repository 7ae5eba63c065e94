// Outcomes, attempts and the answer to a proposal, as clients read them.
import * as z from 'zod';
import { CERTAINTIES, OUTCOME_KINDS } from '../kernel/index.ts';
import { actionName, instant, manifestHash } from './names.ts';

const detail = z
  .record(z.string(), z.unknown())
  .meta({ description: 'What caused it: `{rule, trace, missing}`, `{attempt}`, `{approval}`, `{errors}`, `{retryAt}`, `{finding}`.' });

export const permittedNext = z.object({ action: actionName, target: z.string() });

export const failingCheck = z.object({ check: z.int(), code: z.string(), detail: detail.optional() });

export const outcome = z
  .object({
    kind: z.enum(OUTCOME_KINDS),
    check: z.int().optional().meta({ description: 'The number of the check that refused.' }),
    code: z.string().optional(),
    detail: detail.optional(),
    failing: z.array(failingCheck).optional().meta({ description: 'Every failing check, in the order of precedence.' }),
    permittedNext: z.array(permittedNext).optional(),
    message: z.string().optional().meta({ description: 'For people; never compared, logged or hashed.' }),
  })
  .meta({ id: 'Outcome' });
export type OutcomeBody = z.infer<typeof outcome>;

export const actionAttempt = z
  .object({
    id: z.string(),
    action: z.string(),
    target: z.string(),
    targetRevision: z.int(),
    parameters: z.record(z.string(), z.unknown()),
    actor: z.string(),
    task: z.string().nullable(),
    predecessor: z.string().nullable(),
    expectedOutcome: z.string().nullable(),
    outcome: z.union([outcome, z.null()]),
    certainty: z.enum(CERTAINTIES),
    status: z.enum(['awaiting_approval', 'dispatched', 'settled']),
    correlationId: z.string().nullable(),
    epoch: z.int(),
    attemptCount: z.int(),
    refusedCount: z.int(),
    retry: z.object({ remaining: z.int().nullable(), ceilingRemaining: z.int().nullable() }),
    evidence: z.array(z.unknown()),
    permittedNext: z.array(permittedNext),
    manifest: manifestHash,
    createdAt: instant,
    settledAt: instant.nullable(),
  })
  .meta({ id: 'ActionAttempt' });
export type ActionAttempt = z.infer<typeof actionAttempt>;

export const transitionReference = z.object({ sequence: z.int(), hash: z.string(), manifest: manifestHash });

export const proposalResult = z
  .object({
    outcome: z.union([outcome, z.null()]).meta({ description: 'Null while the effect is in flight (202).' }),
    attempt: z.union([actionAttempt, z.null()]).optional(),
    transition: transitionReference.optional(),
    cursor: z.string().optional().meta({ description: 'Proof of sight of the target. A refusal has none.' }),
  })
  .meta({ id: 'ProposalResult' });
export type ProposalResult = z.infer<typeof proposalResult>;

export const previewResult = z.object({ admitted: z.boolean(), outcome: z.union([outcome, z.null()]) }).meta({ id: 'PreviewResult' });
export type PreviewResult = z.infer<typeof previewResult>;
