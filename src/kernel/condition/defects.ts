// Responsibility: collecting defects with bounded paths and details.
// Boundary: no knowledge of conditions or schemas.
// Invariants: at most DEFECTS_MAX are kept, in the order in which they were found; text in them is cut and well formed.

import { boundedPath, cut } from '../base/text.ts';
import type { Defect } from './types.ts';

const DEFECTS_MAX = 100;
const DETAIL_LENGTH_MAX = 80;

export class Defects {
  readonly #found: Defect[] = [];

  /** Always undefined, so that a parser can return what it adds. */
  add(path: string, code: string, detail?: string, suggestion?: string): undefined {
    if (this.#found.length >= DEFECTS_MAX) return undefined;
    this.#found.push({
      path: boundedPath(path),
      code,
      ...(detail === undefined ? {} : { detail: cut(detail, DETAIL_LENGTH_MAX) }),
      ...(suggestion === undefined ? {} : { suggestion }),
    });
    return undefined;
  }

  addAll(defects: readonly Defect[]): void {
    for (const { path, code, detail, suggestion } of defects) this.add(path, code, detail, suggestion);
  }

  get found(): readonly Defect[] {
    return this.#found;
  }
}
