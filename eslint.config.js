import js from 'typescript-eslint';
import hooks from 'eslint-plugin-react-hooks';
import a11y from 'eslint-plugin-jsx-a11y';
import importSort from 'eslint-plugin-simple-import-sort';
import { floors } from './scripts/floors.mjs';

export default js.config(
  {
    ignores: [
      'dist',
      'node_modules',
      'coverage',
      '.cache',
      '.lab',
      'test-results',
      'playwright-report',
      '**/*.{mjs,cjs}',
      'eslint.config.js',
      'jest.config.js',
      'vite.config.ts',
    ],
  },
  ...js.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/require-await': 'off',
      // A leading underscore names what a destructuring leaves out.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowNullish: true },
      ],
      'no-empty': ['error', { allowEmptyCatch: false }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', 750],
      // With `noUncheckedIndexedAccess` every read by an index may be undefined: where the bounds of
      // the loop or the check above prove that it is not, `!` says so.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // It does not see what a callback or an await changed meanwhile: an abort, a flag, a failure.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // A text taken apart by code points is meant to be.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/no-invalid-void-type': ['error', { allowAsThisParameter: true }],
      // `() => close()` hands on nothing, and says what it does in one line.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    plugins: { 'simple-import-sort': importSort },
    rules: { 'simple-import-sort/imports': 'error', 'simple-import-sort/exports': 'error' },
  },
  { files: ['src/ui/**/*.{ts,tsx}'], ...a11y.flatConfigs.recommended },
  {
    files: ['src/ui/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: { ...hooks.configs.recommended.rules },
  },
  {
    files: ['**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/*.spec.ts', '**/testing/**'],
    rules: { 'max-lines': ['error', 400], 'max-lines-per-function': ['error', 100] },
  },
  // Electron makes its own windows and menus, and the calls of its keychain that do not wait are the
  // ones that every version from 22 on has.
  {
    files: ['electron/**/*.ts'],
    rules: {
      '@typescript-eslint/no-deprecated': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  // Tables of data.
  {
    files: ['src/core/snapshot/snapshotFields.ts', 'src/core/redact/ourWords.ts'],
    rules: { 'max-lines': 'off' },
  },
  // Jest's asymmetric matchers (expect.stringContaining …) are typed `any`.
  {
    files: ['**/*.test.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
  { plugins: { floors }, rules: { 'floors/down': 'error' } },
);
