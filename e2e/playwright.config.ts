import { defineConfig } from '@playwright/test';

// One retry: the stories drive real programs on a machine that others may load; a retry is shown as flaky, never hidden.
/** One set of specs, in a browser over the Node host and in the Electron stand-in. One worker: the lab loads the machine. */
export default defineConfig({
  testDir: 'specs',
  outputDir: '../test-results',
  fullyParallel: false,
  workers: 1,
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: { trace: 'retain-on-failure', actionTimeout: 15_000 },
  projects: [
    { name: 'chromium', metadata: { host: 'chromium' } },
    { name: 'electron', metadata: { host: 'electron' } },
  ],
});
