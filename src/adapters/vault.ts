// Responsibility: secrets of a connection at rest: sealed to one world and one integration.
// Boundary: WebCrypto only, so asynchronous: never between load and commit. The key comes from the deployment, the envelope from storage.
// Invariants: no result or error holds secret text; an envelope opens only for the world (birth id) and integration that it was sealed for.

/** What a connection keeps secret. */
export interface Secrets {
  readonly credential: string;
  readonly webhookSecret: string;
}

export interface VaultContext {
  /** The deployment's CREDENTIAL_KEY: 32 random bytes, base64. */
  readonly credentialKey: string;
  /** The world's birth id: two worlds of one name have different keys. */
  readonly birthId: string;
  readonly integration: string;
}

export type SealResult = { readonly ok: true; readonly envelope: string } | { readonly ok: false; readonly code: 'key_malformed' };
export type OpenFailure = 'key_malformed' | 'envelope_malformed' | 'version_unknown' | 'not_authentic';
export type OpenResult = { readonly ok: true; readonly secrets: Secrets } | { readonly ok: false; readonly code: OpenFailure };

/** History: 1 = HKDF-SHA-256 of the deployment's key, AES-256-GCM with a 96-bit random nonce. */
const VERSION = 'v1';
const SALT = 'compiled-world-runtime/vault/v1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const ENVELOPE = /^(v\d{1,4})\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,65536})$/;

type Bytes = Uint8Array<ArrayBuffer>;

/** Encrypts: `v1.<nonce>.<ciphertext and tag>`, base64url. The same secrets never give the same envelope twice. */
export async function seal(context: VaultContext, secrets: Secrets): Promise<SealResult> {
  const key = await worldKey(context);
  if (key === null) return { ok: false, code: 'key_malformed' };
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const plain = utf8(JSON.stringify({ credential: secrets.credential, webhookSecret: secrets.webhookSecret }));
  const cipher = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData: boundTo(context) }, key, plain);
  return { ok: true, envelope: `${VERSION}.${toBase64Url(nonce)}.${toBase64Url(new Uint8Array(cipher))}` };
}

/** Decrypts. A wrong key, another world or integration and a changed envelope are all `not_authentic`. */
export async function open(context: VaultContext, envelope: string): Promise<OpenResult> {
  const [, version, nonceText, cipherText] = ENVELOPE.exec(envelope) ?? [];
  const nonce = fromBase64Url(nonceText);
  const cipher = fromBase64Url(cipherText);
  if (version === undefined || nonce === null || cipher === null) return { ok: false, code: 'envelope_malformed' };
  if (version !== VERSION) return { ok: false, code: 'version_unknown' };
  if (nonce.length !== NONCE_BYTES) return { ok: false, code: 'envelope_malformed' };
  const key = await worldKey(context);
  if (key === null) return { ok: false, code: 'key_malformed' };
  try {
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce, additionalData: boundTo(context) }, key, cipher);
    const { credential, webhookSecret } = JSON.parse(new TextDecoder().decode(plain)) as Secrets;
    return { ok: true, secrets: { credential, webhookSecret } };
  } catch {
    return { ok: false, code: 'not_authentic' };
  }
}

async function worldKey({ credentialKey, birthId }: VaultContext): Promise<CryptoKey | null> {
  const bytes = fromBase64(credentialKey.trim());
  if (bytes === null || bytes.length !== KEY_BYTES) return null;
  const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: utf8(SALT), info: utf8(birthId) };
  return crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: KEY_BYTES * 8 }, false, ['encrypt', 'decrypt']);
}

/** The world is bound by its key; version and integration by what is authenticated beside the secrets. */
function boundTo({ integration }: VaultContext): Bytes {
  return utf8(JSON.stringify([VERSION, integration]));
}

function utf8(text: string): Bytes {
  return new Uint8Array(new TextEncoder().encode(text));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function fromBase64Url(text: string | undefined): Bytes | null {
  return text === undefined
    ? null
    : fromBase64(
        text
          .replaceAll('-', '+')
          .replaceAll('_', '/')
          .padEnd(Math.ceil(text.length / 4) * 4, '='),
      );
}

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
