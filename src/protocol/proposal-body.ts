// The body of `POST …/proposals` and `…/proposals/preview`, strict: nothing in it can name the actor.
import * as z from 'zod';
import { OUTCOME_KINDS } from '../kernel/index.ts';
import type { JsonObject } from '../kernel/index.ts';
import { actionName, objectId, targetId } from './names.ts';
import type { Proposal } from './proposal.ts';

/** Longest cursor that is looked at; ours are far shorter. */
const cursorLengthMax = 2048;

/** Parameters are checked by the manifest, in the world: here they only are an object. */
const parameters = z.record(z.string(), z.unknown()).transform((value) => value as JsonObject);

export const proposalBody = z
  .strictObject({
    action: actionName,
    target: targetId.meta({ description: 'An object id; for an action that creates its target, the bare type will do.' }),
    expectedRevision: z.int().min(0).meta({ description: 'The revision that the actor has seen; 0 for what is to be created.' }),
    parameters,
    observed: z.string().max(cursorLengthMax).optional().meta({ description: 'The cursor of a frame, object or result that this actor received.' }),
    expectedOutcome: z.enum(OUTCOME_KINDS).optional(),
    task: objectId.optional(),
    predecessor: objectId.optional(),
  })
  .meta({ id: 'Proposal' });

/** Compiles only while the schema and the RPC contract agree. */
export const toProposal = (body: z.output<typeof proposalBody>): Proposal => body;
