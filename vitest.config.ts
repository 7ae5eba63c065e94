// Four kinds of tests: in Node, in workerd, in a browser engine, and against a real `wrangler dev` (e2e, one file at a time).
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { outside } from './test/workerd/outside.ts';

/** The kernel's tests run unchanged in all three runtimes: isomorphism is tested, not claimed. */
const kernel = 'test/kernel/**/*.test.ts';

/** When a test has gone astray, ms: property tests take seconds on a busy machine. */
const TEST_MS = 60_000;

const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          testTimeout: TEST_MS,
          include: [kernel, 'test/**/*.test.ts'],
          exclude: ['test/workerd/**', 'test/e2e/**', 'test/browser/**', 'node_modules/**'],
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              outboundService: outside,
              bindings: { ROOT_KEY: 'root_test', CREDENTIAL_KEY: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=', ENVIRONMENT: 'development' },
            },
          }),
        ],
        test: { name: 'workers', testTimeout: TEST_MS, include: [kernel, 'test/workerd/**/*.test.ts'] },
      },
      {
        test: {
          name: 'browser',
          testTimeout: TEST_MS,
          include: [kernel, 'test/browser/**/*.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: chromiumArguments } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
