// The contracts of the refund desk are data that a manifest may hold.
import { describe, expect, it } from 'vitest';
import { mail } from '../../src/adapters/contracts/mail.ts';
import { payments } from '../../src/adapters/contracts/payments.ts';
import { canonicalDefect, openSchemaDefects, parseCondition, patternDefect } from '../../src/kernel/index.ts';
import type { FieldMapping, HttpContract, Json, Schema } from '../../src/kernel/index.ts';

const CONTRACTS: readonly (readonly [string, HttpContract])[] = [
  ['payments', payments],
  ['mail', mail],
];

function schemasOf(contract: HttpContract): readonly Schema[] {
  const answers = Object.values(contract.operations).map(({ response }) => response.schema);
  return [...answers, contract.errors.schema, contract.readBack?.pageSchema, contract.webhook?.schema].filter((schema) => schema !== undefined);
}

function mappingsOf(contract: HttpContract): readonly FieldMapping[] {
  return [...Object.values(contract.operations).flatMap(({ body }) => body), ...(contract.readBack?.query ?? [])];
}

describe.each(CONTRACTS)('%s', (_name, contract) => {
  it('is plain JSON that survives being written and read', () => {
    expect(canonicalDefect(contract as unknown as Json)).toBeUndefined();
    expect(JSON.parse(JSON.stringify(contract))).toEqual(contract);
  });

  it('has schemas of the subset, patterns that are cheap and conditions that parse', () => {
    expect(schemasOf(contract).flatMap((schema) => openSchemaDefects(schema, ''))).toEqual([]);
    expect(Object.values(contract.settings).map(({ pattern }) => patternDefect(pattern))).not.toContainEqual(expect.any(String));
    expect(mappingsOf(contract).flatMap(({ when = true }) => parseCondition(when, '').defects)).toEqual([]);
  });

  it('its webhook names an operation that it has', () => {
    expect(Object.keys(contract.operations)).toContain(contract.webhook?.operation);
  });
});
