import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { parse } from 'jsonc-parser';

import { decodeText } from '../../src/core/base/textFile.ts';
import { parsePlanFile } from '../../src/core/plan/planFile.ts';
import { parseResultsFile } from '../../src/core/score/resultsFile.ts';
import { parseStudyFile } from '../../src/core/study/studyFile.ts';
import { importFiles } from '../engine/imports/testing/files.ts';
import { testPlanFile } from '../engine/testing/engineHarness.ts';
import { damagedBytes } from '../engine/testing/fuzz/bytes.ts';
import { fuzz } from '../engine/testing/fuzz/fuzz.ts';
import { exitCodes } from './exitCodes.ts';
import { runHere } from './testing/runHere.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-exit-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const json = (path: string): string => JSON.stringify(parse(readFileSync(path, 'utf8')), null, 1);
const parsed = (read: (name: string, text: string) => unknown) => (bytes: Uint8Array) =>
  read('x.json', decodeText('x.json', bytes));
/** What a command reads, and how the reader alone judges it. */
const commands: readonly {
  args: readonly string[];
  documents: readonly string[];
  read?: (bytes: Uint8Array) => unknown;
}[] = [
  {
    args: ['check'],
    documents: [JSON.stringify(testPlanFile(), null, 1)],
    read: parsed(parsePlanFile),
  },
  { args: ['run'], documents: [json('docs/examples/plan.json')], read: parsed(parsePlanFile) },
  {
    args: ['study', 'run'],
    documents: [json('docs/examples/study.json')],
    read: parsed(parseStudyFile),
  },
  {
    args: ['score'],
    documents: [json('docs/examples/results.json')],
    read: parsed(parseResultsFile),
  },
  { args: ['open'], documents: Object.values(importFiles).flat() },
];
const notPrinted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

fuzz({
  name: `exit codes of ${commands.length} commands on damaged files`,
  cases: 150,
  inputs: fc
    .constantFrom(...commands)
    .chain((command) => fc.tuple(fc.constant(command), damagedBytes(command.documents))),
  print: ([{ args }, bytes]) =>
    `${args.join(' ')} ${Buffer.from(bytes.subarray(0, 400)).toString('latin1')}`,
  async take([{ args, read }, bytes]) {
    const path = join(dir, 'x.json');
    writeFileSync(path, bytes);
    let refused = false;
    try {
      read?.(bytes);
    } catch {
      refused = true;
    }
    const { code, out, err } = await runHere(...args, path, '--data', join(dir, 'data'));
    const text = `${out}${err}`;
    expect(text).not.toMatch(notPrinted);
    // Nobody agreed to a plan: what is read is refused for that. `score` of results without a total
    // has failed, and says so.
    const allowed: readonly number[] =
      refused || args[0] === 'check' || args[0] === 'run' || args[0] === 'study'
        ? [exitCodes.badInput]
        : args[0] === 'score'
          ? [exitCodes.passed, exitCodes.failed, exitCodes.notCompliant, exitCodes.badInput]
          : [exitCodes.passed, exitCodes.badInput];
    if (!allowed.includes(code)) throw new Error(`Exit code ${code}: ${text.slice(0, 500)}`);
    if (refused) expect(text).toContain('x.json');
  },
});
