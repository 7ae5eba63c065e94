// `npm start`: the product on this machine, with a provider to try it against and a demonstration to begin with.
import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureDevVars } from './local/dev-vars.ts';
import { guide } from './local/guide.ts';
import { ensureFree, placeOf, startProvider, startServer } from './local/processes.ts';
import { provision } from './local/provision.ts';
import { readSettings } from './local/settings.ts';
import type { Settings } from './local/settings.ts';
import type { SandboxPlace } from '../sandbox/main.ts';

const POLL_MS = 50;
const HEALTH_MS = 1_000;
/** How long the children have to end by themselves. */
const GRACE_MS = 5_000;

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  await ensureFree(settings);
  mkdirSync(settings.stateDir, { recursive: true });
  if (ensureDevVars(settings.devVarsFile)) say(`new secrets for this machine are in ${settings.devVarsFile}`);
  const provider = settings.demo ? startProvider(settings) : null;
  const server = startServer(settings);
  endTogether(server, provider);
  const place = provider === null ? null : placeOf(provider);
  place?.catch(() => undefined);
  await healthy(settings);
  say(`ready at ${settings.origin}`);
  if (place !== null) await demonstrate(settings, place);
}

async function demonstrate(settings: Settings, place: Promise<SandboxPlace>): Promise<void> {
  try {
    const provided = await place;
    if (provided.moved) say(`the sandbox provider's port was taken, so it is now at ${provided.url}; the demonstration is connected to it anew`);
    say(guide(settings, provided, await provision(settings, provided)));
  } catch (error) {
    say(`the demonstration could not be made: ${messageOf(error)}. The server goes on without it.`);
  }
}

/** When the server ends, all ends; a signal to this process is one to the children. */
function endTogether(server: ChildProcess, provider: ChildProcess | null): void {
  const children = provider === null ? [server] : [server, provider];
  server.once('error', (error) => fail(`the server did not start: ${error.message}`));
  server.once('exit', (code, signal) => {
    provider?.kill();
    process.exit(code ?? (signal === null ? 1 : 0));
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      for (const child of children) child.kill(signal);
      setTimeout(() => {
        for (const child of children) child.kill('SIGKILL');
        process.exit(1);
      }, GRACE_MS).unref();
    });
  }
}

/** Until the product answers. If it never does, its own end ends this. */
async function healthy({ origin }: Settings): Promise<void> {
  for (;;) {
    const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(HEALTH_MS) }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    await pause(POLL_MS);
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

await main().catch((error: unknown) => fail(messageOf(error)));
