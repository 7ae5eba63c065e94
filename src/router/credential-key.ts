// The form of a key: `cwr_<8 char id>_<secret>`. The secret ends in the tenant's name, so that a key leads to its tenant without a
// table of all keys; the random part before it is what nobody can guess. Only the SHA-256 of the whole key is ever stored.
import { sha256 } from './digest.ts';

const PREFIX = 'cwr';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 8;
/** 43 letters of 62: 256 bits. */
const RANDOM_LENGTH = 43;
/** Bytes at and above this would make some letters likelier than others. */
const FAIR_BELOW = 256 - (256 % ALPHABET.length);

const KEY_PATTERN = new RegExp(`^${PREFIX}_([0-9A-Za-z]{${ID_LENGTH}})_[0-9A-Za-z]{${RANDOM_LENGTH}}\\.([a-z0-9][a-z0-9-]{0,62})$`);

export interface NewKey {
  readonly id: string;
  readonly key: string;
  readonly secretDigest: string;
}

function randomLetters(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < FAIR_BELOW && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}

/** A new key for an actor of the tenant. */
export async function makeKey(tenant: string): Promise<NewKey> {
  const id = randomLetters(ID_LENGTH);
  const key = `${PREFIX}_${id}_${randomLetters(RANDOM_LENGTH)}.${tenant}`;
  return { id, key, secretDigest: await sha256(key) };
}

/** Where a key leads, or null where it cannot be one of ours. */
export async function readKey(key: string): Promise<{ readonly id: string; readonly tenant: string; readonly secretDigest: string } | null> {
  const [, id, tenant] = KEY_PATTERN.exec(key) ?? [];
  if (id === undefined || tenant === undefined) return null;
  return { id, tenant, secretDigest: await sha256(key) };
}
