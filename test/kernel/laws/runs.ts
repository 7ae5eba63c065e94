// How many histories a property looks at: a few for the mutants, more when somebody asks for them (`VITE_RUNS=20 npx vitest …`).

const FACTOR = Number(import.meta.env['VITE_RUNS'] ?? 1);

/** Numbers for fast-check. A failing property prints its seed and path, and replays with them; a mutant need only fail, so it is not shrunk. */
export function runs(count: number): { readonly numRuns: number; readonly endOnFailure: boolean } {
  return { numRuns: Math.max(1, Math.round(count * FACTOR)), endOnFailure: FACTOR < 1 };
}

/** What a property may take where the machine is slow, ms. */
export const LONG_MS = 120_000 * Math.max(1, FACTOR);
