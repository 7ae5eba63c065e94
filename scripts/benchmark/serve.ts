// Builds the benchmark's worker and runs it on `workerd serve`: no development server in between (its proxy would be what is measured).
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Served {
  readonly url: string;
  readonly rootKey: string;
  readonly stop: () => void;
}

const ROOT_KEY = 'root_benchmark';
const CREDENTIAL_KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

const CONFIG = `name = "benchmark"
main = "${resolve('scripts/benchmark/worker.ts')}"
compatibility_date = "2026-11-02"
compatibility_flags = ["nodejs_compat"]
rules = [{ type = "Text", globs = ["**/*.sql"], fallthrough = true }]
[alias]
"@noble/hashes/sha2.js" = "${resolve('durable-objects/native-sha256.ts')}"
[[durable_objects.bindings]]
name = "WORLD"
class_name = "World"
[[durable_objects.bindings]]
name = "TENANT"
class_name = "Tenant"
[[durable_objects.bindings]]
name = "BARE"
class_name = "Bare"
[[migrations]]
tag = "v1"
new_sqlite_classes = ["World", "Tenant", "Bare"]
`;

function build(folder: string): readonly string[] {
  const config = join(folder, 'wrangler.toml');
  writeFileSync(config, CONFIG);
  const out = join(folder, 'out');
  const { status, stderr } = spawnSync(
    process.execPath,
    [resolve('node_modules/wrangler/bin/wrangler.js'), 'deploy', '--dry-run', '--config', config, '--outdir', out],
    {
      encoding: 'utf8',
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' },
    },
  );
  if (status !== 0) throw new Error(`the benchmark worker does not build:\n${stderr}`);
  return readdirSync(out).filter((file) => file.endsWith('.js') || file.endsWith('.sql'));
}

/** workerd's own configuration: the bundle, the three classes with SQLite on disk, and the network of this machine only. */
function capnp(files: readonly string[], port: number): string {
  const modules = files
    .toSorted((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js')))
    .map((file) => `(name = "${file.endsWith('.js') ? file : `./${file}`}", ${file.endsWith('.js') ? 'esModule' : 'text'} = embed "out/${file}")`);
  const classes = ['World', 'Tenant', 'Bare'].map((name) => `(className = "${name}", uniqueKey = "benchmark-${name}", enableSql = true)`);
  const objects = ['World', 'Tenant', 'Bare'].map((name) => `(name = "${name.toUpperCase()}", durableObjectNamespace = "${name}")`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${modules.join(', ')}],
      compatibilityDate = "2026-11-02", compatibilityFlags = ["nodejs_compat"],
      bindings = [${objects.join(', ')}, (name = "ROOT_KEY", text = "${ROOT_KEY}"), (name = "CREDENTIAL_KEY", text = "${CREDENTIAL_KEY}"), (name = "ENVIRONMENT", text = "development")],
      durableObjectNamespaces = [${classes.join(', ')}],
      durableObjectStorage = (localDisk = "disk"),
      globalOutbound = "loopback")),
    (name = "loopback", network = (allow = ["local"])),
    (name = "disk", disk = (path = "objects", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`workerd ended with ${child.exitCode}`);
    const answered = await fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('workerd did not become ready');
}

export async function serve(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'cwr-benchmark-'));
  mkdirSync(join(folder, 'objects'));
  const files = build(folder);
  const port = await freePort();
  writeFileSync(join(folder, 'config.capnp'), capnp(files, port));
  const child = spawn(resolve('node_modules/workerd/bin/workerd'), ['serve', join(folder, 'config.capnp')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await ready(url, child);
  return { url, rootKey: ROOT_KEY, stop: () => child.kill('SIGKILL') };
}
