// The two processes beside this one: the server and the sandbox provider. They stay in this process group, so that whoever
// kills the group kills them all.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import type { SandboxPlace } from '../../sandbox/main.ts';
import type { Settings } from './settings.ts';

/** Nothing is reported, asked or looked up outside; nothing is shared with other runs on this machine; the build runs under this Node. */
function quietEnvironment({ stateDir }: Settings): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    CI: 'true',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    WRANGLER_LOG_PATH: join(stateDir, 'logs'),
    WRANGLER_REGISTRY_PATH: join(stateDir, 'registry'),
    X_LOCAL_OBSERVABILITY: 'false',
  };
}

export function startServer(settings: Settings): ChildProcess {
  const options = {
    ip: '127.0.0.1',
    port: settings.port,
    'inspector-port': 0,
    'persist-to': settings.stateDir,
    'env-file': settings.devVarsFile,
    'show-interactive-dev-session': false,
    'log-level': settings.logLevel,
  };
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const program = join(settings.root, 'node_modules/wrangler/bin/wrangler.js');
  return spawn(process.execPath, [program, 'dev', ...flags], { cwd: settings.root, stdio: ['ignore', 'inherit', 'inherit'], env: quietEnvironment(settings) });
}

export function startProvider(settings: Settings): ChildProcess {
  const env = { ...process.env, SANDBOX_DIR: providerDir(settings) };
  return spawn(process.execPath, [join(settings.root, 'sandbox/main.ts')], { cwd: settings.root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env });
}

function providerDir({ stateDir }: Settings): string {
  return join(stateDir, 'sandbox');
}

/** Where the provider answers, as it says itself. */
export function placeOf(provider: ChildProcess): Promise<SandboxPlace> {
  return new Promise((resolve, reject) => {
    provider.once('message', (place) => resolve(place as SandboxPlace));
    provider.once('exit', (code) => reject(new Error(`the sandbox provider ended with ${code ?? 'a signal'}`)));
    provider.once('error', reject);
  });
}

/** Throws where something has the port already: it must not be taken for the product. */
export async function ensureFree({ port }: Settings): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () => reject(new Error(`port ${port} is taken: stop what runs there, or choose another with PORT`)));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve()));
  });
}
