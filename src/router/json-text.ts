// What is looked at in the text of a body before it is parsed, and in its value before anything believes it.
import type { ProblemError } from '../protocol/problem.ts';
import { LIMITS } from '../kernel/index.ts';

const QUOTE = 34;
const BACKSLASH = 92;

/** True where lists and objects are nested deeper than `max`. Brackets inside strings do not count. Never recurses. */
export function deeperThan(text: string, max: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return false;
}

type Path = readonly (string | number)[];

/**
 * Values that parse and that nothing after this may meet: numbers beyond a double (`1e400`), minus zero, unpaired surrogates, and
 * members named `__proto__`. The text is no deeper than its limit by now, so this may recurse.
 */
export function hazards(value: unknown, path: Path = [], found: ProblemError[] = []): readonly ProblemError[] {
  if (found.length >= LIMITS.parameterErrorsMax) return found;
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) found.push({ path: pathText(path), code: 'number_out_of_range' });
  else if (typeof value === 'string' && !value.isWellFormed()) found.push({ path: pathText(path), code: 'ill_formed_text' });
  else if (Array.isArray(value)) value.forEach((item: unknown, index) => hazards(item, [...path, index], found));
  else if (typeof value === 'object' && value !== null) memberHazards(value, path, found);
  return found;
}

function memberHazards(value: object, path: Path, found: ProblemError[]): void {
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__' || !name.isWellFormed()) found.push({ path: pathText([...path, name]), code: 'forbidden_name' });
    else hazards(member, [...path, name], found);
  }
}

/** A path in dots, well-formed and of bounded length. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, LIMITS.pathLengthMax).toWellFormed();
}
