// Bodies about worlds: creating one, listing them, moving the clock of one; and the deployed manifests.
import * as z from 'zod';
import { instant, worldName } from './names.ts';
import { manifestReference } from './world-object.ts';

export const putWorldBody = z
  .strictObject({
    manifest: z.string().min(1).max(128).meta({ description: 'The name or the hash of a manifest of this deployment.' }),
    version: z.string().min(1).max(64).optional(),
  })
  .meta({ id: 'PutWorld' });
export type PutWorldBody = z.output<typeof putWorldBody>;

export const worldEntry = z.object({ world: worldName, manifest: manifestReference }).meta({ id: 'WorldEntry' });
export const worldList = z.object({ worlds: z.array(worldEntry) }).meta({ id: 'WorldList' });
export type WorldList = z.infer<typeof worldList>;

export const manifestList = z.object({ manifests: z.array(manifestReference) }).meta({ id: 'ManifestList' });
export type ManifestList = z.infer<typeof manifestList>;

/** Ten years: far beyond any expiry, far below what a date can hold. */
const advanceMsMax = 315_360_000_000;

export const clockBody = z.strictObject({ advanceMs: z.int().min(1).max(advanceMsMax) }).meta({ id: 'AdvanceClock' });
export const clockAnswer = z.object({ now: instant }).meta({ id: 'Clock' });
