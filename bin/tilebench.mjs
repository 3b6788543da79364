#!/usr/bin/env node
import { join } from 'node:path';
import { compiledOnce, findNode24, root, runUnder24 } from '../scripts/node24.mjs';

const node = findNode24();
if (node === null) process.exit(1);
process.exit(
  await runUnder24(
    node,
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'workers', 'cli.ts'),
      ...process.argv.slice(2),
    ],
    { cwd: process.cwd(), env: compiledOnce },
  ),
);
