import { defineConfig } from '@playwright/test';

import { nightly } from './lab/nightly.ts';

/** The consoles that the stories start take it over: their engines parse what they send. */
process.env['NODE_ENV'] = 'test';

const minutes = 60_000;
/** What only the desktop application can show; all else is shown once, in the browser. */
const desktopOnly = [
  'engineHeld',
  'crashes',
  'opens',
  'bundle',
  'detach',
  'restart',
  'security',
  'story',
  'ownStory',
  'package',
];

/**
 * One set of specs, in a browser over the Node host and, of some, in the Electron stand-in. A story
 * waits for states; its limits are minutes, because others may load the machine: one that depends
 * on speed is wrong, and no retry hides it: `npm test` names what passes only alone as unsteady.
 */
export default defineConfig({
  testDir: 'specs',
  snapshotPathTemplate: 'looks/pictures/{arg}{ext}',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  timeout: 45 * minutes,
  expect: { timeout: 5 * minutes },
  reporter: [['list']],
  use: { trace: 'retain-on-failure' },
  projects: [
    // Every night only, by `scripts/packaging/bareDebian.ts`, which makes the system it runs on.
    ...(process.env['TILEBENCH_BARE'] === undefined
      ? []
      : [
          {
            name: 'bareDebian',
            outputDir: '../test-results/bareDebian',
            testMatch: '**/bareDebian.spec.ts',
          },
        ]),
    {
      name: 'chromium',
      metadata: { host: 'chromium' },
      outputDir: '../test-results/chromium',
      testIgnore: [
        '**/engineHeld.spec.ts',
        '**/crashes.spec.ts',
        '**/package.spec.ts',
        '**/bareDebian.spec.ts',
        // Sixty-four hosts want a machine to themselves; all pictures take minutes; who walks by
        // keys stops at each field.
        ...(nightly
          ? []
          : [
              '**/bigLab.spec.ts',
              '**/looks.spec.ts',
              '**/pictures.spec.ts',
              '**/keyWalks.spec.ts',
            ]),
      ],
    },
    {
      name: 'electron',
      metadata: { host: 'electron' },
      workers: 1,
      outputDir: '../test-results/electron',
      testMatch: desktopOnly.map((name) => `**/${name}.spec.ts`),
    },
  ],
});
