import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import fc from 'fast-check';
import { parse } from 'jsonc-parser';

import { AppError } from '../../src/core/base/errors.ts';
import { decodeText } from '../../src/core/base/textFile.ts';
import { parsePlanFile } from '../../src/core/plan/planFile.ts';
import { parseProfileFile } from '../../src/core/profile/profileFile.ts';
import {
  parseResultsFile,
  profileOfResults,
  scoreResults,
} from '../../src/core/score/resultsFile.ts';
import { scoreSteps, stepLines } from '../../src/core/score/scoreSteps.ts';
import { parseStudyFile } from '../../src/core/study/studyFile.ts';
import { sweepPoints } from '../../src/core/study/sweep.ts';
import { exportTestbed, parseTestbedFile } from '../../src/core/testbed/testbedFile.ts';
import { importSteps } from '../../src/core/testbed/testbedImport.ts';
import {
  layoutClients,
  layoutInventory,
  layoutProfile,
  layoutTestbed,
} from '../../src/core/testing/layoutLab.ts';
import { loadProfiles } from '../engine/profiles/shipped.ts';
import { testPlanFile, testProfile } from '../engine/testing/engineHarness.ts';
import { damagedBytes } from '../engine/testing/fuzz/bytes.ts';
import { each, fuzz } from '../engine/testing/fuzz/fuzz.ts';
import { damagedJson } from '../engine/testing/fuzz/values.ts';

let dir: string;
let profiles: ReturnType<typeof loadProfiles>;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-fuzz-'));
  profiles = loadProfiles(resolve('resources'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const json = (path: string): unknown => parse(readFileSync(path, 'utf8'));
const plan = testPlanFile();
const study = {
  tilebenchStudy: 1,
  study: {
    schemaVersion: 1,
    id: 's',
    name: 'S',
    planId: 'plan',
    axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1, 2] }],
  },
  planFile: plan,
};
const inventory = layoutInventory({ hosts: 2, datastores: 2, tiles: 2 });
const lab = {
  inventory,
  profile: layoutProfile(),
  clients: layoutClients(2).map(({ id, name }) => ({ ref: id, name })),
};
const testbed = exportTestbed(layoutTestbed(2), {
  inventory,
  profile: { id: layoutTestbed(2).profileId, name: 'P', version: '1' },
  vcenterName: 'vc',
  clients: layoutClients(2).map(({ id, name }) => ({ id, name })),
});

/** The documents that are damaged, and everything the app does with one that is still read. */
const kinds: Readonly<
  Record<string, { documents: unknown[]; take: (name: string, text: string) => unknown }>
> = {
  plan: { documents: [plan, json('docs/examples/plan.json')], take: parsePlanFile },
  study: {
    documents: [study, json('docs/examples/study.json')],
    take: (name, text) => sweepPoints(parseStudyFile(name, text).study),
  },
  profile: {
    documents: [testProfile, json('resources/profiles/vmmark-3-tile.json')],
    take: (name, text) => parseProfileFile(name, text, [...profiles.values()]),
  },
  testbed: {
    documents: [testbed],
    take: (name, text) => importSteps(parseTestbedFile(name, text), lab),
  },
  results: {
    documents: [json('docs/examples/results.json'), json('docs/examples/results-parts.json')],
    take(name, text) {
      const file = parseResultsFile(name, text);
      const profile = profileOfResults(name, file, [...profiles.values()]);
      stepLines(scoreResults(profile, file), profile);
      scoreSteps(scoreResults(profile, file), profile);
    },
  },
};

/**
 * A refusal names the file and, where it is about its content, the place: only what no place has is
 * without one.
 */
function demandPlace(name: string, thrown: unknown): never {
  if (!(thrown instanceof AppError) || thrown.kind !== 'invalidInput') throw thrown;
  const placed = thrown.message.startsWith(`${name}:`) || thrown.message.startsWith(`${name} `);
  if (!placed) throw new Error(`No place in: ${thrown.message}`);
  throw thrown;
}

for (const [kind, { documents, take }] of Object.entries(kinds)) {
  const texts = documents.map((one) => JSON.stringify(one, null, 1));
  fuzz({
    name: `${kind} files`,
    cases: 400,
    allowed: ['invalidInput'],
    inputs: fc.oneof(
      damagedJson(documents).map((text) => Buffer.from(text)),
      damagedBytes(texts),
    ),
    take(bytes) {
      const name = `${kind}.json`;
      try {
        take(name, decodeText(name, bytes));
      } catch (thrown) {
        demandPlace(name, thrown);
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  });
}

type Path = readonly (string | number)[];
const listsOf = (value: unknown, at: Path = []): Path[] =>
  Array.isArray(value)
    ? [at, ...listsOf(value[0], [...at, 0])]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => listsOf(inner, [...at, key]))
      : [];
/**
 * `value` with its list at `path` made longer: members of it again and again, each with an id of its own where it has one.
 */
function lengthened(value: unknown, [key, ...rest]: Path, length: number): unknown {
  if (key !== undefined) {
    const holder = value as Record<string | number, unknown>;
    const inner = lengthened(holder[key], rest, length);
    return Array.isArray(value)
      ? value.map((one: unknown, i) => (i === key ? inner : one))
      : { ...holder, [key]: inner };
  }
  const list = value as unknown[];
  return Array.from({ length }, (_, i) => {
    const one = list[i % Math.max(1, list.length)];
    if (typeof one !== 'object' || one === null) return `x${i}`;
    const named = ['id', 'ref', 'workloadId', 'name'].filter((name) => name in one);
    return { ...one, ...Object.fromEntries(named.map((name) => [name, `x${i}`])) };
  });
}
const long = Object.entries(kinds).flatMap(([kind, { documents, take }]) =>
  documents.flatMap((document) =>
    listsOf(document).map((path) => ({ kind, take, document, path })),
  ),
);

// What compares each member with each, or looks at all before it looks at their number, takes
// minutes here.
fuzz({
  name: 'files with one list of 10,000 members',
  cases: long.length,
  allowed: ['invalidInput'],
  inputs: each(long),
  print: ({ kind, path }) => `${kind} ${path.join('.')}`,
  take({ kind, take, document, path }) {
    const text = JSON.stringify(lengthened(document, path, 10_000));
    try {
      take(`${kind}.json`, text);
    } catch (thrown) {
      demandPlace(`${kind}.json`, thrown);
    }
  },
});
