// The log, as people and operators read it.
import * as z from 'zod';
import { instant, manifestHash } from './names.ts';

export const worldEvent = z.object({ name: z.string(), object: z.string(), data: z.record(z.string(), z.unknown()) });

export const transition = z
  .object({
    sequence: z.int().min(1),
    at: instant,
    kind: z.string(),
    actor: z.unknown(),
    input: z.unknown(),
    decision: z.unknown(),
    changes: z.unknown(),
    events: z.array(worldEvent),
    manifest: manifestHash,
    prev: z.string().nullable(),
    hash: z.string(),
  })
  .meta({ id: 'Transition' });
export type Transition = z.infer<typeof transition>;

export const transitionPage = z
  .object({ transitions: z.array(transition), next: z.int().nullable().meta({ description: 'The `after` of the next page; null at the end.' }) })
  .meta({ id: 'TransitionPage' });
export type TransitionPage = z.infer<typeof transitionPage>;
