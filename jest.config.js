const transform = {
  '^.+\\.(ts|tsx|mjs|js)$': [
    '@swc/jest',
    {
      jsc: {
        parser: { syntax: 'typescript', tsx: true },
        target: 'es2022',
        transform: { react: { runtime: 'automatic' } },
      },
      module: { type: 'commonjs' },
    },
  ],
};
/** Packages that jest must transform: of modules only, or with an import of their own at run time. */
const transformIgnorePatterns = [
  '/node_modules/(?!(react-router|@tanstack|@mantine|uuid|commander|marked|hyparquet|hyparquet-writer|pptxgenjs)/)',
];
/**
 * Handed to each module as if it had been imported: in a sandbox a look-up of a global asks the
 * context each time, which made the
 * arithmetic of the model and of React several times slower. Only what no test replaces and no
 * package declares for itself ("has already been declared").
 */
const sandboxInjectedGlobals = [
  'Math',
  'Number',
  'Array',
  'Object',
  'String',
  'Boolean',
  'Symbol',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'Promise',
  'Error',
  'RegExp',
  'JSON',
  'Reflect',
  'Infinity',
  'BigInt',
  'Float64Array',
  'Uint8Array',
  'Int32Array',
  'Uint32Array',
  'ArrayBuffer',
  'DataView',
];
const common = {
  sandboxInjectedGlobals,
  transform,
  transformIgnorePatterns,
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.cache', '<rootDir>/.lab'],
};

/**
 * What a busy machine makes slow is no failure: a test waits for states, its limit is minutes (an
 * hour at night, where runs are as long as they are shipped), and none has one of its own
 * (`scripts/testing/patience.test.ts`).
 */
const testTimeout = (process.env.TILEBENCH_NIGHTLY === '1' ? 60 : 10) * 60_000;

export default {
  testTimeout,
  projects: [
    // Pure logic by table and property, under a minute on two cores.
    {
      ...common,
      displayName: 'unit',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/{src/core,src/wire,scripts}/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.peer\\.test\\.ts$', '/node_modules/'],
    },
    // The engine and its programs, with a fake clock and a database of their own.
    {
      ...common,
      displayName: 'engine',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/{workers,electron,e2e/lab}/**/*.test.ts'],
      testPathIgnorePatterns: [
        '\\.(peer|fuzz)\\.test\\.ts$',
        '/node_modules/',
        '/workers/engine/gallery/',
        '/workers/engine/diagnosis/',
      ],
    },
    // Whole studies on the model, seconds each: they belong to the stage `studies`.
    {
      ...common,
      displayName: 'gallery',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/workers/engine/{gallery,diagnosis}/**/*.test.ts'],
    },
    // Every boundary against thousands of hostile inputs: a minute of one core, in a stage of its own.
    {
      ...common,
      displayName: 'fuzz',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/workers/**/*.fuzz.test.ts'],
    },
    {
      ...common,
      displayName: 'screens',
      testEnvironment: 'jsdom',
      testMatch: ['<rootDir>/src/ui/**/*.test.{ts,tsx}'],
      setupFilesAfterEnv: ['<rootDir>/src/ui/testing/setup.ts'],
      moduleNameMapper: { '\\.css$': '<rootDir>/src/ui/testing/styles.ts' },
    },
    {
      ...common,
      displayName: 'peers',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/{workers,e2e,scripts}/**/*.peer.test.ts'],
    },
  ],
};
