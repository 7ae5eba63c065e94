// The secrets of local development, in `.dev.vars` (never in git).
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Writes the file where there is none; one that exists is left as it is. Returns whether it was made. */
export function ensureDevVars(file: string): boolean {
  if (existsSync(file)) return false;
  const lines = [
    '# Made by `npm start` for this machine only. Delete it to get new secrets; what was stored under the old ones is then lost.',
    `ROOT_KEY=root_${randomBytes(32).toString('base64url')}`,
    `CREDENTIAL_KEY=${randomBytes(32).toString('base64')}`,
    'ENVIRONMENT=development',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  return true;
}

/** One variable, without the quotes around it; null where it is not there. */
export function devVar(file: string, name: string): string | null {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, key, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === name && value !== undefined && value !== '') return value.replace(/^(['"])(.*)\1$/, '$2');
  }
  return null;
}
