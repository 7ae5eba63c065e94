// The real product as a process: `wrangler dev` on a free port, killed with SIGKILL and started again on the same state.
// It runs in a process group of its own, and only that group is ever killed. Its state and its secrets are its own, in a folder that goes with it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url).href);
const READY_MS = 90_000;

export interface ProductOptions {
  /** With the provider and the demonstration that `npm start` makes; without, the server is alone. */
  readonly demo?: boolean;
}

export class Product {
  readonly url: string;
  readonly #demo: boolean;
  readonly #port: number;
  readonly #stateDir: string;
  readonly #atExit = (): void => void this.#signal();
  #child: ChildProcess | null = null;
  #output = '';

  private constructor(port: number, { demo = false }: ProductOptions) {
    this.#port = port;
    this.#demo = demo;
    this.#stateDir = mkdtempSync(join(tmpdir(), 'cwr-state-'));
    this.url = `http://127.0.0.1:${port}`;
    process.once('exit', this.#atExit);
  }

  /** Starts on a fresh state. */
  static async start(options: ProductOptions = {}): Promise<Product> {
    const product = new Product(await freePort(), options);
    await product.up();
    return product;
  }

  /** The root key of this product, made at its first start. */
  get rootKey(): string {
    const [, key] = /^ROOT_KEY=(.+)$/m.exec(readFileSync(this.#devVars, 'utf8')) ?? [];
    if (key === undefined) throw new Error('the product has no root key');
    return key;
  }

  /** Secrets of its own: those of the developer are not touched. */
  get #devVars(): string {
    return join(this.#stateDir, 'dev.vars');
  }

  /** Starts (again) on the state that is on disk; resolves when it answers. */
  async up(): Promise<void> {
    const own = { PORT: String(this.#port), STATE_DIR: this.#stateDir, DEV_VARS: this.#devVars, DEMO: this.#demo ? 'yes' : 'none', LOG_LEVEL: 'error' };
    const env = { ...process.env, ...own };
    const child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-4000)));
    const until = Date.now() + READY_MS;
    while (!(await this.#answers())) {
      if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}: ${this.#output}`);
      if (Date.now() > until) throw new Error(`the product did not answer within ${READY_MS} ms: ${this.#output}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Waits until what it printed matches so many times, and returns the matches. */
  async said(pattern: RegExp, times: number): Promise<readonly string[]> {
    for (const end = Date.now() + READY_MS; ;) {
      const found = this.#output.match(pattern) ?? [];
      if (found.length >= times) return found;
      if (Date.now() > end) throw new Error(`the product did not say ${pattern.source}: ${this.#output}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** SIGKILL to the whole group, now: what is on disk is all that is left. Resolves when nothing answers any more. */
  async kill(): Promise<void> {
    const child = this.#signal();
    if (child === null) return;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    while (await this.#answers()) await new Promise((done) => setTimeout(done, 20));
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.up();
  }

  /** Ends it and forgets its state. */
  async end(): Promise<void> {
    await this.kill();
    process.removeListener('exit', this.#atExit);
    rmSync(this.#stateDir, { recursive: true, force: true });
  }

  /** The process that was running, now killed with its whole group; null where none was. */
  #signal(): ChildProcess | null {
    const child = this.#child;
    this.#child = null;
    if (child?.pid === undefined) return null;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      // Whoever ended by itself needs no signal.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
    return child;
  }

  async #answers(): Promise<boolean> {
    const answer = await fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(1000) }).catch(() => null);
    await answer?.body?.cancel();
    return answer?.status === 200;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}
