import { join } from 'node:path';

import {
  type Counter,
  countExit,
  countJest,
  countPlaywright,
  countStudies,
  type FailedFiles,
  filesOfJest,
  filesOfPlaywright,
} from './counts.ts';
import { browserPackages, desktopPackages, type Packages, peerPackages } from './packages.ts';

/** What a stage needs before it starts: made once, however many stages need it. */
export type Need = 'vcsim' | 'kit' | 'bundles' | 'electron';

/** One command of a stage. */
export interface Step {
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
  count: Counter;
  /** Words after which it must end soon by itself. */
  last?: string;
}

export interface Stage {
  /** Stages of a lane run one after the other; lanes run beside each other. */
  lane: 'processor' | 'peers' | 'stories';
  packages: Packages;
  needs: readonly Need[];
  /** A stage that prints nothing for so long hangs. */
  silentMinutes: number;
  steps: (tools: Tools) => readonly Step[];
  /** For a stage whose tests wait: for other programs, for what a screen will show. */
  again?: SecondLook;
}

/** How a test file that failed beside others is run alone. */
export interface SecondLook {
  failedFiles: FailedFiles;
  step: (tools: Tools, file: string) => Step;
}

/** Where things are on this machine. */
export interface Tools {
  node: string;
  cacheDir: string;
  /** Folder of the Electron of the tests; only for who needs it. */
  electronDist: string;
}

const within = (...path: string[]): string => join('node_modules', ...path);
export const tool = {
  prettier: within('prettier', 'bin', 'prettier.cjs'),
  eslint: within('eslint', 'bin', 'eslint.js'),
  tsc: within('typescript', 'bin', 'tsc'),
  jest: within('jest', 'bin', 'jest.js'),
  playwright: within('@playwright', 'test', 'cli.js'),
};

export const prettierStep = ({ node, cacheDir }: Tools, paths: readonly string[]): Step => ({
  command: [
    node,
    tool.prettier,
    '--check',
    '--log-level=warn',
    '--ignore-unknown',
    '--cache',
    `--cache-location=${join(cacheDir, 'prettier')}`,
    ...paths,
  ],
  count: countExit,
});
export const eslintStep = ({ node, cacheDir }: Tools, paths: readonly string[]): Step => ({
  command: [
    node,
    tool.eslint,
    '--max-warnings=0',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${join(cacheDir, 'eslint')}`,
    ...paths,
  ],
  count: countExit,
});
export const typesStep = ({ node, cacheDir }: Tools): Step => ({
  command: [
    node,
    tool.tsc,
    '-p',
    '.',
    '--incremental',
    `--tsBuildInfoFile`,
    join(cacheDir, 'types.tsbuildinfo'),
  ],
  count: countExit,
});

const running = [
  '--reporters=default',
  `--reporters=./${join('scripts', 'testing', 'running.mjs')}`,
];
const jestStep = ({ node }: Tools, projects: readonly string[], args: readonly string[]): Step => ({
  command: [node, tool.jest, '--selectProjects', ...projects, ...args],
  count: countJest,
  last: 'Ran all test suites',
});
/** Tests that compute: a worker on each core. */
const computing =
  (project: string) =>
  (tools: Tools, args: readonly string[] = []): Step =>
    jestStep(tools, [project], ['--maxWorkers=100%', ...args]);
export const unitStep = computing('unit');
export const engineStep = computing('engine');
export const screensStep = computing('screens');
/** Peers are waited for more than they compute: more workers than cores. */
export const peersStep = (tools: Tools, args: readonly string[] = []): Step =>
  jestStep(tools, ['peers'], ['--maxWorkers=4', ...running, ...args]);

const again = (step: (tools: Tools, args: readonly string[]) => Step): SecondLook => ({
  failedFiles: filesOfJest,
  step: (tools, file) => step(tools, ['--runTestsByPath', file]),
});

const playwrightStep = (
  { node }: Tools,
  project: string,
  { env = {}, prefix = [] }: { env?: Record<string, string>; prefix?: readonly string[] },
  files: readonly string[],
): Step => ({
  command: [
    ...prefix,
    node,
    tool.playwright,
    'test',
    '-c',
    'e2e/playwright.config.ts',
    `--project=${project}`,
    ...files,
  ],
  env,
  count: countPlaywright,
});
const chromiumStep = (tools: Tools, files: readonly string[]): Step =>
  playwrightStep(tools, 'chromium', {}, files);
const electronStep = (tools: Tools, files: readonly string[]): Step =>
  playwrightStep(
    tools,
    'electron',
    {
      env: { ELECTRON_OVERRIDE_DIST_PATH: tools.electronDist },
      prefix: process.env['DISPLAY'] === undefined ? ['xvfb-run', '-a'] : [],
    },
    files,
  );
const againOfStory = (step: (tools: Tools, files: readonly string[]) => Step): SecondLook => ({
  failedFiles: filesOfPlaywright,
  step: (tools, file) => step(tools, [file]),
});

/** In the order of their lanes: what fails soonest first. */
export const stages = {
  lint: {
    lane: 'processor',
    packages: {},
    needs: [],
    silentMinutes: 40,
    steps: (tools) => [prettierStep(tools, ['.']), eslintStep(tools, ['.'])],
  },
  types: {
    lane: 'processor',
    packages: {},
    needs: [],
    silentMinutes: 40,
    steps: (tools) => [typesStep(tools)],
  },
  unit: {
    lane: 'processor',
    packages: {},
    needs: [],
    silentMinutes: 15,
    steps: (tools) => [unitStep(tools)],
  },
  engine: {
    lane: 'processor',
    packages: {},
    needs: [],
    silentMinutes: 15,
    steps: (tools) => [engineStep(tools)],
    again: again(engineStep),
  },
  screens: {
    lane: 'processor',
    packages: {},
    needs: [],
    silentMinutes: 15,
    steps: (tools) => [screensStep(tools)],
    again: again(screensStep),
  },
  // Hostile input at every boundary, in this process: the same cases in every check, new ones every
  // night.
  fuzz: {
    lane: 'processor',
    packages: {},
    needs: [],
    silentMinutes: 15,
    steps: (tools) => [computing('fuzz')(tools)],
  },
  // Every line of the published studies that the model must meet is a test: with the course of
  // events that it is shipped with. Every night with twenty.
  studies: {
    lane: 'processor',
    packages: {},
    needs: [],
    silentMinutes: 20,
    steps: (tools) => [
      computing('gallery')(tools),
      {
        command: [tools.node, 'scripts/studies.mjs', '--report'],
        count: countStudies,
      },
    ],
  },
  peers: {
    lane: 'peers',
    packages: peerPackages,
    // Consoles are served with their page.
    needs: ['vcsim', 'kit', 'bundles'],
    silentMinutes: 20,
    steps: (tools) => [peersStep(tools)],
    again: again(peersStep),
  },
  chromium: {
    lane: 'stories',
    packages: { ...peerPackages, ...browserPackages },
    needs: ['vcsim', 'bundles'],
    silentMinutes: 60,
    steps: (tools) => [chromiumStep(tools, [])],
    again: againOfStory(chromiumStep),
  },
  electron: {
    lane: 'stories',
    packages: { ...peerPackages, ...desktopPackages },
    needs: ['vcsim', 'bundles', 'electron'],
    silentMinutes: 60,
    steps: (tools) => [electronStep(tools, [])],
    again: againOfStory(electronStep),
  },
} satisfies Record<string, Stage>;

export type StageName = keyof typeof stages;
export const stageNames = Object.keys(stages) as StageName[];
