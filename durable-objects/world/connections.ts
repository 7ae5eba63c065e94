// Responsibility: connections decrypted for use: endpoint, credential, settings of an integration, and its webhook secret.
// Boundary: asynchronous (WebCrypto), so never between load and commit. Plain secrets live in this instance's memory only.
// Invariants: what a log, object or error shows of a secret is its random reference.
import { open, type Secrets } from '../../src/adapters/vault.ts';
import type { Connection } from '../../src/adapters/port.ts';
import type { WorldStore } from '../world-store.ts';

export class Connections {
  readonly #store: WorldStore;
  readonly #credentialKey: string;
  readonly #opened = new Map<string, Secrets>();

  constructor(store: WorldStore, credentialKey: string) {
    this.#store = store;
    this.#credentialKey = credentialKey;
  }

  /** Null where the integration is not connected or its secrets cannot be opened. */
  async connection(integration: string): Promise<Connection | null> {
    const object = this.#store.object(`Integration:${integration}`);
    const endpoint = object?.state['endpoint'];
    const secrets = await this.#secrets(integration);
    if (typeof endpoint !== 'string' || secrets === null || object?.state['status'] === 'disconnected') return null;
    const settings = (object?.state['settings'] ?? {}) as { readonly [name: string]: string };
    return { endpoint, credential: secrets.credential, settings };
  }

  async webhookSecret(integration: string): Promise<string | null> {
    return (await this.#secrets(integration))?.webhookSecret ?? null;
  }

  async #secrets(integration: string): Promise<Secrets | null> {
    const cell = this.#store.cell(`secrets:Integration:${integration}`) as { readonly credential?: string } | undefined;
    const ref = cell?.credential;
    if (ref === undefined) return null;
    const known = this.#opened.get(ref);
    if (known !== undefined) return known;
    const envelope = this.#store.secret(ref);
    if (envelope === undefined) return null;
    const opened = await open({ credentialKey: this.#credentialKey, birthId: this.#store.birthId, integration }, envelope);
    if (!opened.ok) return null;
    this.#opened.set(ref, opened.secrets);
    return opened.secrets;
  }
}
