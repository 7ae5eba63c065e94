// Responsibility: cursors: opaque proofs of what an actor has seen (design §7). The kernel is told what a cursor proves, never shown one.
// Boundary: HMAC-SHA-256 with a key derived per world from the deployment's secret; synchronous, so that it may stand between load and commit.
// Invariants: a cursor of another world, actor or key proves nothing; text is never trusted before its MAC is.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Observed } from '../../src/kernel/index.ts';

const FORM = /^c1\.(\d{1,16})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9:._~*-]{1,256})$/;

export class Cursors {
  readonly #key: Buffer;

  /** `secret`: the deployment's CREDENTIAL_KEY; `birthId`: what no two worlds share. */
  constructor(secret: string, birthId: string) {
    this.#key = createHmac('sha256', secret).update(`compiled-world-runtime/cursor/v1/${birthId}`).digest();
  }

  /** `subject` is an object id, or `*` for the actor's whole scope. */
  make(actor: string, sequence: number, subject: string): string {
    return `c1.${sequence}.${this.#mac(actor, sequence, subject)}.${subject}`;
  }

  read(actor: string, cursor: string | undefined): Observed {
    if (cursor === undefined) return { kind: 'none' };
    const [, digits, mac, subject] = FORM.exec(cursor) ?? [];
    if (digits === undefined || mac === undefined || subject === undefined) return { kind: 'invalid' };
    const sequence = Number(digits);
    const expected = Buffer.from(this.#mac(actor, sequence, subject));
    const given = Buffer.from(mac);
    return given.length === expected.length && timingSafeEqual(given, expected) ? { kind: 'seen', sequence, subject } : { kind: 'invalid' };
  }

  #mac(actor: string, sequence: number, subject: string): string {
    return createHmac('sha256', this.#key).update(`${actor}\n${sequence}\n${subject}`).digest('base64url');
  }
}
