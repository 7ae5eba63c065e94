// Bodies about tenants and their keys.
import * as z from 'zod';
import { actorId, keyId, roleName, tenantName, worldName } from './names.ts';

export const tenantBody = z.strictObject({ tenant: tenantName }).meta({ id: 'CreateTenant' });
export const tenantAnswer = z.object({ tenant: tenantName }).meta({ id: 'Tenant' });

const rolesMax = 16;
const worldsMax = 100;

export const issueKeyBody = z
  .strictObject({
    actor: actorId,
    roles: z.array(roleName).min(1).max(rolesMax),
    worlds: z
      .array(worldName)
      .min(1)
      .max(worldsMax)
      .optional()
      .meta({ description: 'The worlds that the key may see; every world of the tenant where absent.' }),
    expiresAt: z.iso.datetime({ offset: true }).optional().meta({ description: 'RFC 3339, in the future.' }),
  })
  .meta({ id: 'IssueKey' });
export type IssueKeyBody = z.output<typeof issueKeyBody>;

const keyFields = {
  id: keyId,
  actor: z.string(),
  roles: z.array(z.string()),
  worlds: z.array(z.string()).nullable(),
  expiresAt: z.string().nullable(),
};

export const issuedKey = z.object({ ...keyFields, key: z.string().meta({ description: 'Shown this once; only its hash is kept.' }) }).meta({ id: 'IssuedKey' });

export const keyList = z.object({ keys: z.array(z.object({ ...keyFields, createdAt: z.string() })) }).meta({ id: 'KeyList' });
export type KeyList = z.infer<typeof keyList>;
