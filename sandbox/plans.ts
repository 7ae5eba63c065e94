// Which mode the next request on a route meets.
import { isEffectMode, isReadBackMode } from './modes.ts';
import type { EffectMode, ReadBackMode } from './modes.ts';
import type { ModeOptions } from './exchange.ts';
import type { Route } from './records.ts';

export interface FaultOptions extends ModeOptions {
  /** How many requests meet it; 1 unless told. `always`: all of them, once those before it are used up, until `clear`. */
  readonly times?: number | 'always';
}

export interface Planned {
  readonly mode: EffectMode | ReadBackMode;
  readonly options: ModeOptions;
}

const WELL: Planned = { mode: 'ok', options: {} };
const TIMES_MAX = 10_000;

export class Plans {
  readonly #queues = new Map<Route, Planned[]>();
  readonly #rest = new Map<Route, Planned>();

  /** Throws where the route does not have this mode. */
  add(route: Route, mode: string, { times = 1, ...options }: FaultOptions = {}): void {
    const planned = { mode: checked(route, mode), options };
    if (times === 'always') {
      this.#rest.set(route, planned);
      return;
    }
    if (!Number.isInteger(times) || times < 1 || times > TIMES_MAX) throw new RangeError(`\`times\` is 1 to ${TIMES_MAX}, or \`always\``);
    const queue = this.#queues.get(route) ?? [];
    for (let i = 0; i < times; i += 1) queue.push(planned);
    this.#queues.set(route, queue);
  }

  take(route: Route): Planned {
    return this.#queues.get(route)?.shift() ?? this.#rest.get(route) ?? WELL;
  }

  /** From now on all is well. Requests that are held stay so. */
  clear(): void {
    this.#queues.clear();
    this.#rest.clear();
  }
}

function checked(route: Route, mode: string): EffectMode | ReadBackMode {
  if (route === 'readback' ? isReadBackMode(mode) : isEffectMode(mode)) return mode as EffectMode | ReadBackMode;
  throw new RangeError(`no mode \`${mode}\` on \`${route}\``);
}
