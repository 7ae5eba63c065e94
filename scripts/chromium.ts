// A Chromium for the browser tests: the one named by CHROMIUM, the system's, or Debian's package where we may install it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Makes sure that a Chromium is there; says plainly what to do where it cannot. */
export function ensureChromium(): string {
  const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (existsSync(path)) return path;
  const root = process.getuid?.() === 0;
  if (root && existsSync('/usr/bin/apt-get')) {
    console.log('installing chromium for the browser tests (apt-get)');
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  if (!existsSync(path)) console.log(`no Chromium at ${path}: install one, or name it in CHROMIUM; the browser tests will fail without it`);
  return path;
}
