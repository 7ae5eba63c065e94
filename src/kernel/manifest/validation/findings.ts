// Responsibility: collecting what is wrong with a manifest: errors and warnings apart, each once, in one order.
// Boundary: knows nothing of manifests; sentences are made at the edge, but for arithmetic that only the finder knows.
// Invariants: the order is by path, then code, then detail, whatever the order of the checks; both lists are bounded.

import { byCodeUnit, cut } from '../../base/text.ts';
import type { Defect } from '../../condition/types.ts';
import type { ErrorCode, WarningCode } from './codes.ts';

const FINDINGS_MAX = 1_000;
const DETAIL_LENGTH_MAX = 1_000;

/** `errors` keep a manifest from being sealed; `warnings` are for whoever reviews it. */
export interface Validation {
  readonly errors: readonly Defect[];
  readonly warnings: readonly Defect[];
}

interface More {
  readonly detail?: string;
  readonly suggestion?: string | undefined;
}

export class Findings {
  readonly #errors: Defect[] = [];
  readonly #warnings: Defect[] = [];

  /** Always undefined, so that a check can return what it adds. */
  error(path: string, code: ErrorCode, detail?: string, suggestion?: string): undefined {
    return put(this.#errors, path, code, { ...(detail === undefined ? {} : { detail }), suggestion });
  }

  warning(path: string, code: WarningCode, detail?: string): undefined {
    return put(this.#warnings, path, code, detail === undefined ? {} : { detail });
  }

  /** Defects of conditions, schemas and patterns, under the codes that these have. */
  addAll(defects: readonly Defect[]): void {
    for (const { path, code, ...more } of defects) put(this.#errors, path, code, more);
  }

  get validation(): Validation {
    return { errors: inOrder(this.#errors), warnings: inOrder(this.#warnings) };
  }
}

function put(list: Defect[], path: string, code: string, { detail, suggestion }: More): undefined {
  if (list.length >= FINDINGS_MAX) return undefined;
  list.push({ path, code, ...(detail === undefined ? {} : { detail: cut(detail, DETAIL_LENGTH_MAX) }), ...(suggestion === undefined ? {} : { suggestion }) });
  return undefined;
}

function inOrder(defects: readonly Defect[]): readonly Defect[] {
  const sorted = [...defects].sort(byPlace);
  return sorted.filter((defect, index) => index === 0 || byPlace(defect, sorted[index - 1] ?? defect) !== 0);
}

function byPlace(a: Defect, b: Defect): number {
  return byCodeUnit(a.path, b.path) || byCodeUnit(a.code, b.code) || byCodeUnit(a.detail ?? '', b.detail ?? '');
}
