// What can be told to `npm start` through the environment.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Settings {
  readonly root: string;
  readonly port: number;
  readonly origin: string;
  readonly stateDir: string;
  readonly devVarsFile: string;
  readonly logLevel: string;
  /** Whether a provider and a demonstration are made beside the server. */
  readonly demo: boolean;
}

const PORT_DEFAULT = 8787;

/**
 * PORT: where the product answers. STATE_DIR: where everything is kept. DEV_VARS: the file with the secrets. LOG_LEVEL: how much the server
 * says. DEMO=none: the server alone. Throws for a port that is none.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const root = fileURLToPath(new URL('../..', import.meta.url).href);
  const port = Number(environment['PORT'] ?? PORT_DEFAULT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT is \`${environment['PORT']}\`, not a port`);
  return {
    root,
    port,
    origin: `http://127.0.0.1:${port}`,
    stateDir: resolve(environment['STATE_DIR'] ?? join(root, '.wrangler/state')),
    devVarsFile: resolve(environment['DEV_VARS'] ?? join(root, '.dev.vars')),
    logLevel: environment['LOG_LEVEL'] ?? 'warn',
    demo: environment['DEMO'] !== 'none',
  };
}
