// The sandbox provider as a process of its own: `node sandbox/main.ts`.
// SANDBOX_DIR: where its port, token and ledger are kept, so that a restart is the same provider. SANDBOX_PORT: the port to begin with.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRecord, textOf } from './json.ts';
import { startSandbox } from './sandbox.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';

/** What is told to a parent process, and kept in the file. */
export interface SandboxPlace {
  readonly url: string;
  readonly token: string;
  /** The port of the last run was taken, so this is another one. */
  readonly moved: boolean;
}

async function main(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'provider.json');
  const kept = keptIn(file);
  const ledgerFile = join(directory, 'ledger.ndjson');
  const keep = (sandbox: Sandbox): void => {
    writeFileSync(file, `${JSON.stringify({ port: Number(new URL(sandbox.url).port), token: sandbox.token })}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  };
  const { sandbox, moved } = await startOn({ ...kept, ledgerFile, onRotated: keep });
  keep(sandbox);
  announce({ url: sandbox.url, token: sandbox.token, moved });
}

/** The port of the last run, or a free one where something else has it by now. */
async function startOn(options: SandboxOptions): Promise<{ sandbox: Sandbox; moved: boolean }> {
  try {
    return { sandbox: await startSandbox(options), moved: false };
  } catch (error) {
    if (options.port === undefined || !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    const { port: _taken, ...others } = options;
    return { sandbox: await startSandbox(others), moved: true };
  }
}

function keptIn(file: string): { readonly port?: number; readonly token?: string } {
  const asked = Number(process.env['SANDBOX_PORT']);
  const kept = parseRecord(readOrEmpty(file));
  const port = typeof kept?.['port'] === 'number' ? kept['port'] : asked;
  const token = textOf(kept?.['token']);
  return { ...(Number.isInteger(port) && port > 0 ? { port } : {}), ...(token === null ? {} : { token }) };
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function announce(place: SandboxPlace): void {
  if (process.send === undefined) {
    process.stdout.write(`sandbox provider at ${place.url}, token ${place.token}\n`);
    return;
  }
  process.send(place);
  // Whoever started it is gone.
  process.on('disconnect', () => process.exit(0));
}

await main(process.env['SANDBOX_DIR'] ?? '.wrangler/sandbox');
