// The provider's own account of what really happened. With a file, every line is on disk before anybody is answered,
// so it survives the process being killed at any moment.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRecord } from './json.ts';
import type { Effect, JsonRecord } from './records.ts';

/** A later status of an effect, such as a refund that the bank gave back. */
interface StatusLine {
  readonly n: number;
  readonly status: string;
}

export class Ledger {
  readonly #file: string | undefined;
  readonly #entries: Effect[] = [];

  constructor(file?: string) {
    this.#file = file;
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    if (existsSync(file)) this.#load(file);
  }

  /** Everything that the provider lists, oldest first. */
  get entries(): readonly Effect[] {
    return this.#entries;
  }

  /** What really happened, oldest first. */
  effects(): Effect[] {
    return this.#entries.filter((entry) => entry.effect);
  }

  add(entry: Omit<Effect, 'n' | 'at'>): Effect {
    const made: Effect = { n: this.#entries.length + 1, at: Date.now(), ...entry };
    this.#write(made);
    this.#entries.push(made);
    return made;
  }

  /** The newest entry that carries this correlation id. */
  find(correlation: string): Effect | undefined {
    return this.#entries.findLast((entry) => entry.correlation === correlation);
  }

  setStatus(n: number, status: string): void {
    this.#write({ n, status });
    this.#apply({ n, status });
  }

  #apply({ n, status }: StatusLine): void {
    const entry = this.#entries[n - 1];
    if (entry !== undefined) this.#entries[n - 1] = { ...entry, object: { ...entry.object, status } };
  }

  #write(line: Effect | StatusLine): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  #load(file: string): void {
    const text = readFileSync(file, 'utf8');
    for (const line of text.split('\n')) {
      const record = parsed(line);
      if (isEffect(record)) this.#entries.push(record);
      else if (isStatusLine(record)) this.#apply(record);
    }
    if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n');
  }
}

/** A line that was cut off by a kill is no line. */
function parsed(line: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** The file is written by this class only, so its lines are told apart by one field. */
function isEffect(record: JsonRecord | null): record is JsonRecord & Effect {
  return record !== null && typeof record['effect'] === 'boolean';
}

function isStatusLine(record: JsonRecord | null): record is JsonRecord & StatusLine {
  return record !== null && typeof record['n'] === 'number' && typeof record['status'] === 'string';
}
