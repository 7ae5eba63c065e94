// Responsibility: faults of our own, which throw and commit nothing (design §3.4), and the assertions that raise them.
// Boundary: what a caller may cause is a refusal or a list of defects and never comes through here.
// Invariants: assertions stay on in every build; a fault carries a code and a path, never the value that caused it.

/** A bug of ours, or a value that may not be hashed. The transition that meets one is not committed. */
export class KernelFault extends Error {
  readonly code: string;
  /** Where in the value it is, as a JSON pointer; empty for the value itself. */
  readonly path: string;
  constructor(code: string, path = '') {
    super(path === '' ? code : `${code} at \`${path}\``);
    this.name = 'KernelFault';
    this.code = code;
    this.path = path;
  }
}

/** Closes a `switch` on a kind: a case that was forgotten does not compile, and throws where the types lied. */
export function assertNever(value: never): never {
  throw new KernelFault('unreachable', typeof value === 'string' ? value : '');
}

/** An assertion that stays on. */
export function invariant(condition: boolean, code: string): asserts condition {
  if (!condition) throw new KernelFault(code);
}
