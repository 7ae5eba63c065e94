// Responsibility: instants as text (RFC 3339) and as milliseconds since 1970, by integer arithmetic.
// Boundary: no clock and no time zone data; text without an offset is UTC. Leap seconds (`:60`) are refused, since they need a table.
// Invariants: `instantMs(isoInstant(ms)) === ms` for every instant that is written; fractions finer than a millisecond are cut.

import { invariant } from './assert.ts';
import { DAY_MS, HOUR_MS } from './limits.ts';

/** 9999-12-31T23:59:59.999Z, the last instant that four digits can write. */
export const INSTANT_MAX_MS = 253_402_300_799_999;

const MINUTE_MS = 60_000;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const INSTANT = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,32}))?([Zz]|[+-]\d\d:\d\d)?)?$/;

/** Milliseconds of an RFC 3339 date or date-time; undefined for anything else, days that do not exist included. */
export function instantMs(text: string): number | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const day = dayNumber(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  const hour = Number(parts[4] ?? 0);
  const minute = Number(parts[5] ?? 0);
  const second = Number(parts[6] ?? 0);
  const offset = offsetMs(parts[8] ?? 'Z');
  if (day === undefined || offset === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const fraction = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return day * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS + second * 1_000 + fraction - offset;
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
export function isoInstant(ms: number): string {
  const rest = ms % DAY_MS;
  const hour = Math.floor(rest / HOUR_MS);
  const minute = Math.floor(rest / MINUTE_MS) % 60;
  const second = Math.floor(rest / 1_000) % 60;
  return `${utcDay(ms)}T${digits(hour, 2)}:${digits(minute, 2)}:${digits(second, 2)}.${digits(rest % 1_000, 3)}Z`;
}

/** `YYYY-MM-DD`, the day of an instant in UTC. */
export function utcDay(ms: number): string {
  invariant(Number.isSafeInteger(ms) && ms >= 0 && ms <= INSTANT_MAX_MS, 'instant_out_of_range');
  // Civil from days, with years that begin in March so that the leap day is their last (Hinnant).
  const shifted = Math.floor(ms / DAY_MS) + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

/** Days since 1970-01-01; undefined for a day that does not exist. */
function dayNumber(year: number, month: number, day: number): number | undefined {
  const length = month === 2 && isLeap(year) ? 29 : MONTH_DAYS[month - 1];
  if (length === undefined || day < 1 || day > length) return undefined;
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function offsetMs(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0;
  const hour = Number(text.slice(1, 3));
  const minute = Number(text.slice(4, 6));
  if (hour > 23 || minute > 59) return undefined;
  const size = hour * HOUR_MS + minute * MINUTE_MS;
  return text.startsWith('-') ? -size : size;
}

function digits(value: number, length: number): string {
  return `${value}`.padStart(length, '0');
}
