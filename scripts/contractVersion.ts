import { readFileSync, writeFileSync } from 'node:fs';

import { describeContract, versionOf } from '../src/wire/describeContract.ts';

/**
 * Writes the version of the contract as its schemas are now: to be run after a change of one (Node
 * 24, from the project's folder).
 */
const path = 'src/wire/contract/version.ts';
const version = versionOf(describeContract());
writeFileSync(
  path,
  readFileSync(path, 'utf8').replace(
    /contractVersion = '[0-9a-f]{16}'/,
    `contractVersion = '${version}'`,
  ),
);
process.stdout.write(`${version}\n`);
