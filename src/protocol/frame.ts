// The observation frame, as an actor receives it. Its sections are the contract's; what an entry holds beside the named fields is the manifest's.
import * as z from 'zod';
import { CERTAINTIES } from '../kernel/index.ts';
import { manifestReference } from './world-object.ts';
import { instant } from './names.ts';

export const effectEntry = z.looseObject({
  attempt: z.string(),
  action: z.string(),
  target: z.string(),
  outcome: z.unknown(),
  certainty: z.enum(CERTAINTIES),
  since: instant,
});

/** What stands in the way. One about an integration is about no attempt. */
export const blockerEntry = z.looseObject({
  attempt: z.string().nullable().optional(),
  action: z.string().nullable().optional(),
  target: z.string().nullable().optional(),
  outcome: z.unknown().optional(),
  certainty: z.enum(CERTAINTIES).nullable().optional(),
  since: instant.nullable().optional(),
  code: z.string(),
  waitsFor: z.unknown().optional(),
  retryAt: instant.nullable().optional(),
});

export const frameAction = z.looseObject({
  action: z.string(),
  target: z.string().nullable().optional(),
  available: z.boolean(),
  code: z.string().nullable().optional(),
  needs: z.unknown().optional(),
  depends: z.array(z.string()).optional(),
  inputSchema: z.record(z.string(), z.unknown()).optional(),
});

const section = z.record(z.string(), z.unknown()).nullable();
const entries = z.array(z.looseObject({}));

export const observationFrame = z
  .object({
    manifest: manifestReference,
    world: z.string(),
    actor: z.object({ id: z.string(), roles: z.array(z.string()) }),
    location: z.unknown(),
    now: instant,
    cursor: z.string(),
    task: section,
    conversation: section,
    objects: entries,
    changes: entries,
    unresolved: z.array(effectEntry),
    completed: z.array(effectEntry),
    blockers: z.array(blockerEntry),
    approvals: entries,
    budgets: entries,
    actions: z.array(frameAction),
    evidence: entries,
    omitted: z.record(z.string(), z.int()).meta({ description: 'What was left out for want of room, counted by kind.' }),
    bytes: z.int(),
  })
  .meta({ id: 'ObservationFrame' });
export type ObservationFrame = z.infer<typeof observationFrame>;
