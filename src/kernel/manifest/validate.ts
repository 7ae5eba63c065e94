// Responsibility: everything wrong with a manifest, at once, each defect with a path and a code (design §5 "Seal").
// Boundary: the door to validation/, where each part of the agreement has a file; sealing refuses what has errors.
// Invariants: total over all JSON; one order (path, code, detail); errors and warnings apart; what has no errors can be sealed.

import { canonicalDefect } from '../base/canonical.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { frameDefects } from './frame-bound.ts';
import type { Manifest } from './types.ts';
import { checkActions } from './validation/actions.ts';
import { checkContracts } from './validation/contracts.ts';
import { checkCore } from './validation/core.ts';
import { Findings, type Validation } from './validation/findings.ts';
import { partsOf, type Parts } from './validation/parts.ts';
import { checkRequests } from './validation/requests.ts';
import { checkRest } from './validation/rest.ts';
import { checkRoles } from './validation/roles.ts';
import { checkTypes } from './validation/types.ts';

export { ERRORS as MANIFEST_ERRORS, WARNINGS as MANIFEST_WARNINGS } from './validation/codes.ts';
export type { Validation } from './validation/findings.ts';
export { TREATED } from './validation/treatments.ts';

/** All that is wrong with what should be a manifest. Any JSON may come. */
export function validateManifest(manifest: Json | Manifest): Validation {
  const json = manifest as unknown as Json;
  const found = new Findings();
  const unwritable = canonicalDefect(json);
  if (unwritable !== undefined) found.addAll([unwritable]);
  else if (!isJsonObject(json)) found.error('', 'not_an_object');
  else {
    const parts = partsOf(json, found);
    for (const check of [checkRest, checkRoles, checkTypes, checkActions, checkContracts, checkRequests, checkCore, checkFrame]) check(parts, found);
  }
  return found.validation;
}

function checkFrame(parts: Parts, found: Findings): void {
  const { frame, limits } = parts.rest;
  if (frame !== undefined && limits !== undefined) found.addAll(frameDefects({ ...parts, frame, limits }));
}
