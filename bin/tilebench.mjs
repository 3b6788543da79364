#!/usr/bin/env node
import { join } from 'node:path';
import { findNode24, root, runUnder24 } from '../scripts/node24.mjs';

const node = findNode24();
if (node === null) process.exit(1);
// The child gets the terminal's Ctrl-C itself; this process waits for what it makes of it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.exit(runUnder24(node, ['--disable-warning=ExperimentalWarning', join(root, 'workers', 'cli.ts'), ...process.argv.slice(2)], { cwd: process.cwd() }));
