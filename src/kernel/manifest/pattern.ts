// Responsibility: which regular expressions a schema may hold: a small language whose matching is cheap in every engine.
// Boundary: reads patterns, matches nothing.
// Invariants: anchored; no look-around, back-reference, lazy or nested quantifier; the ways in which a text of the greatest length can be
// divided among the quantifiers are bounded, so that no text makes a backtracking engine slow.

import { LIMITS } from '../base/limits.ts';

const PATTERN_LENGTH_MAX = 512;
const GROUP_DEPTH_MAX = 8;
/** Ways to divide a text among the quantifiers: a few milliseconds of backtracking at worst. */
const WAYS_MAX = 200_000;

const SYNTAX = '^$\\.*+?()[]{}|/';
const ESCAPED_CLASSES = 'dDwWsSnrt';

/** Why a pattern is refused; undefined where it may stand. `lengthMax`: characters of the longest text that it will meet. */
export function patternDefect(pattern: string, lengthMax: number = LIMITS.stringLengthMax): string | undefined {
  if (pattern.length > PATTERN_LENGTH_MAX) return 'pattern_too_long';
  if (!pattern.startsWith('^') || !pattern.endsWith('$') || pattern.length < 2) return 'pattern_not_anchored';
  const reader = new Reader(pattern.slice(1, -1), lengthMax);
  const part = reader.sequence(0);
  if (reader.defect !== undefined) return reader.defect;
  if (!reader.atEnd) return 'pattern_unsupported';
  if (part.ways > WAYS_MAX) return 'pattern_too_costly';
  return compiles(pattern) ? undefined : 'pattern_unsupported';
}

interface Part {
  /** In how many ways it can match a text. */
  readonly ways: number;
  /** True where its length is not fixed by a quantifier. */
  readonly varies: boolean;
}

const ONE: Part = { ways: 1, varies: false };

class Reader {
  readonly #text: string;
  readonly #lengthMax: number;
  #at = 0;
  defect: string | undefined;

  constructor(text: string, lengthMax: number) {
    this.#text = text;
    this.#lengthMax = lengthMax;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  sequence(depth: number): Part {
    let ways = 1;
    let varies = false;
    while (!this.atEnd && this.defect === undefined && !')|'.includes(this.#next)) {
      const part = this.#quantified(this.#atom(depth));
      ways *= part.ways;
      varies ||= part.varies;
    }
    return { ways, varies };
  }

  get #next(): string {
    return this.#text[this.#at] ?? '';
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #fail(code: string): Part {
    this.defect ??= code;
    return ONE;
  }

  #atom(depth: number): Part {
    if (this.#take('(')) return this.#group(depth + 1);
    if (this.#take('[')) return this.#class();
    if (this.#take('\\')) return this.#escape(SYNTAX);
    if (SYNTAX.replace('.', '').replace('/', '').includes(this.#next)) return this.#fail('pattern_unsupported');
    this.#at += 1;
    return ONE;
  }

  #group(depth: number): Part {
    if (depth > GROUP_DEPTH_MAX) return this.#fail('pattern_too_deep');
    if (!this.#take('?:') && this.#next === '?') return this.#fail('pattern_unsupported');
    let { ways, varies } = this.sequence(depth);
    while (this.#take('|')) {
      const other = this.sequence(depth);
      ways += other.ways;
      varies ||= other.varies;
    }
    return this.#take(')') ? { ways, varies } : this.#fail('pattern_unsupported');
  }

  #class(): Part {
    this.#take('^');
    if (this.#next === ']') return this.#fail('pattern_unsupported');
    while (!this.atEnd && this.defect === undefined && this.#next !== ']') {
      if (this.#take('\\')) this.#escape(`${SYNTAX}-`);
      else this.#at += 1;
    }
    return this.#take(']') ? ONE : this.#fail('pattern_unsupported');
  }

  #escape(allowed: string): Part {
    const letter = this.#next;
    if (letter === '' || !(allowed.includes(letter) || ESCAPED_CLASSES.includes(letter))) return this.#fail('pattern_unsupported');
    this.#at += 1;
    return ONE;
  }

  #quantified(part: Part): Part {
    const range = this.#range();
    if (range === undefined || this.defect !== undefined) return part;
    const { least, most } = range;
    if (most < least || '?*+{'.includes(this.#next || ' ')) return this.#fail('pattern_unsupported');
    if (part.varies && most > 1) return this.#fail('nested_quantifier');
    return { ways: waysOfRepeating(part.ways, least, most), varies: part.varies || most !== least };
  }

  #range(): { readonly least: number; readonly most: number } | undefined {
    if (this.#take('*')) return { least: 0, most: this.#lengthMax };
    if (this.#take('+')) return { least: 1, most: Math.max(1, this.#lengthMax) };
    if (this.#take('?')) return { least: 0, most: 1 };
    if (this.#next !== '{') return undefined;
    const found = /^\{(\d{1,5})(,(\d{1,5})?)?\}/.exec(this.#text.slice(this.#at));
    if (found === null) {
      this.#fail('pattern_unsupported');
      return undefined;
    }
    this.#at += found[0].length;
    const least = Number(found[1]);
    if (found[2] === undefined) return { least, most: least };
    return { least, most: found[3] === undefined ? Math.max(least, this.#lengthMax) : Number(found[3]) };
  }
}

function waysOfRepeating(ways: number, least: number, most: number): number {
  if (ways === 1) return most - least + 1;
  let sum = 0;
  // Grows at least by doubling, so it ends soon after the bound.
  for (let times = least; times <= most && sum <= WAYS_MAX; times += 1) sum += ways ** times;
  return sum;
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
