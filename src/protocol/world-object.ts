// Objects of a world and its summary, as clients read them.
import * as z from 'zod';
import { instant, manifestHash, worldName } from './names.ts';

export const objectAction = z.looseObject({
  action: z.string(),
  available: z.boolean(),
  code: z.string().nullable().optional(),
  needs: z.unknown().optional().meta({ description: '`approval`, where a person must grant it.' }),
  depends: z.array(z.string()).optional().meta({ description: 'Rules that the parameters will decide.' }),
});

export const worldObject = z
  .object({
    id: z.string(),
    type: z.string(),
    manifest: manifestHash,
    owner: z.string(),
    scope: z.unknown(),
    revision: z.int(),
    state: z.record(z.string(), z.unknown()).meta({ description: 'The fields of its type that the reader may observe.' }),
    counters: z.record(z.string(), z.unknown()).optional().meta({ description: 'Kernel counters, outside the revision.' }),
    relationships: z.record(z.string(), z.unknown()),
    provenance: z.object({ createdBy: z.string(), createdAt: instant, transition: z.int() }),
    actions: z.array(objectAction).optional().meta({ description: 'Absent in lists.' }),
    cursor: z.string().optional().meta({ description: 'Absent in lists.' }),
  })
  .meta({ id: 'WorldObject' });
export type WorldObject = z.infer<typeof worldObject>;

export const objectPage = z
  .object({ objects: z.array(worldObject), next: z.string().nullable().meta({ description: 'The `after` of the next page; null at the end.' }) })
  .meta({ id: 'ObjectPage' });
export type ObjectPage = z.infer<typeof objectPage>;

export const manifestReference = z.object({ name: z.string(), version: z.string(), hash: manifestHash }).meta({ id: 'ManifestReference' });
export type ManifestReference = z.infer<typeof manifestReference>;

export const worldSummary = z
  .object({
    world: worldName,
    manifest: manifestReference,
    status: z.string(),
    head: z.object({ sequence: z.int(), hash: z.string() }),
  })
  .meta({ id: 'WorldSummary' });
export type WorldSummary = z.infer<typeof worldSummary>;
