import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INSTANT_MAX_MS, instantMs, isoInstant, utcDay } from '../../../src/kernel/base/time.ts';

describe('instants from text', () => {
  it.each([
    ['1970-01-01', 0],
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00:00', 0],
    ['1969-12-31T23:59:59.999Z', -1],
    ['2024-02-29', 1_709_164_800_000],
    ['2000-02-29T12:00:00Z', 951_825_600_000],
    ['2026-08-25T00:00:00', 1_787_616_000_000],
    ['2026-08-25T01:30:00+01:30', 1_787_616_000_000],
    ['2026-08-24T16:00:00-08:00', 1_787_616_000_000],
    ['2026-08-25t00:00:00z', 1_787_616_000_000],
    ['2026-08-25T00:00:00-00:00', 1_787_616_000_000],
    ['2026-08-25T00:00:00.1Z', 1_787_616_000_100],
    ['2026-08-25T00:00:00.123999Z', 1_787_616_000_123],
    ['9999-12-31T23:59:59.999Z', INSTANT_MAX_MS],
  ])('%s is %d', (text, ms) => {
    expect(instantMs(text)).toBe(ms);
  });

  it.each([
    '',
    '2026',
    '2026-1-01',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-02-29',
    '1900-02-29',
    '2100-02-29',
    '2026-01-00',
    '2026-01-32',
    '20260101',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-01-01T00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00+0100',
    '2026-01-01Z',
    '2026-01-01\n',
    ' 2026-01-01',
    '-026-01-01',
    '２０２６-01-01',
    `2026-01-01T00:00:00.${'1'.repeat(33)}Z`,
  ])('%j is none', (text) => {
    expect(instantMs(text)).toBeUndefined();
  });

  it.each([
    [1600, true],
    [1900, false],
    [2000, true],
    [2023, false],
    [2024, true],
    [2100, false],
    [2400, true],
  ])('29 February %d exists: %s', (year, exists) => {
    expect(instantMs(`${year}-02-29`) !== undefined).toBe(exists);
  });
});

describe('instants as text', () => {
  const instant = fc.integer({ min: 0, max: INSTANT_MAX_MS });

  it('come back as the instant that they were', () => {
    fc.assert(
      fc.property(instant, (ms) => instantMs(isoInstant(ms)) === ms),
      { numRuns: 2_000 },
    );
  });

  it('agree with the platform on every instant (a second opinion)', () => {
    fc.assert(
      fc.property(instant, (ms) => isoInstant(ms) === new Date(ms).toISOString()),
      { numRuns: 2_000 },
    );
  });

  it('agree with the platform on reading days and offsets (a second opinion)', () => {
    const offset = fc.tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
    fc.assert(
      fc.property(instant, offset, (ms, [sign, hours, minutes]) => {
        const text = isoInstant(ms).replace('Z', `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`);
        return instantMs(text) === Date.parse(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [0, '1970-01-01'],
    [86_399_999, '1970-01-01'],
    [86_400_000, '1970-01-02'],
    [951_782_399_999, '2000-02-28'],
    [951_782_400_000, '2000-02-29'],
    [951_868_800_000, '2000-03-01'],
    [1_735_689_599_999, '2024-12-31'],
    [INSTANT_MAX_MS, '9999-12-31'],
  ])('%d falls on %s', (ms, day) => {
    expect(utcDay(ms)).toBe(day);
  });

  it.each([-1, INSTANT_MAX_MS + 1, 0.5, Number.NaN])('a clock that says %d is a fault', (ms) => {
    expect(() => isoInstant(ms)).toThrow('instant_out_of_range');
  });
});
