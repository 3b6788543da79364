import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { demoRecord } from '../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import { type Profile, profileSchema } from '../../../src/core/profile/profile.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { infraKey } from '../../../src/core/run/scoreTypes.ts';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/types.ts';
import { silentLog } from '../deps.ts';
import { finalScore, judge } from './evaluate.ts';

const log = silentLog;
let dir: string;
let db: Database;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-scoring-'));
  db = openDatabase({ dataDir: dir, clock: { now: () => 0, sleep: () => Promise.resolve() }, log });
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

const startMs = 1_000_000;
const periodMs = 60_000;
const series: SeriesDef[] = [
  {
    id: 0,
    metric: 'throughput',
    unit: 'tps',
    source: 's',
    periodMs: 1_000,
    decimals: 2,
    lagMs: 0,
    entity: { kind: 'workload', id: 't0.db', name: 'Tile 1 Database', tile: 0 },
  },
  {
    id: 1,
    metric: 'throughput',
    unit: 'operations/h',
    source: 'run',
    periodMs: 10_000,
    decimals: 2,
    lagMs: 0,
    entity: { kind: 'workload', id: infraKey('vmotion'), name: 'vMotion' },
  },
  {
    id: 2,
    metric: 'powerW',
    unit: 'W',
    source: 'PDU',
    periodMs: 1_000,
    decimals: 1,
    lagMs: 0,
    entity: { kind: 'power', id: 'p', name: 'PDU' },
  },
];
const profileOf = (scoring: object = {}, more: object = {}): Profile =>
  profileSchema.parse({
    schemaVersion: 1,
    id: 'p',
    version: '1',
    name: 'P',
    description: '',
    phases: { rampUpS: 0, staggerS: 0, steadyS: 180, periods: 3, rampDownS: 0 },
    workloads: [
      {
        id: 'db',
        role: 'database',
        name: 'Database',
        driver: 'x',
        unit: 'tps',
        reference: 10,
        referenceSource: 's',
      },
    ],
    scoring: {
      tile: 'geometricMean',
      total: 'sum',
      periods: 'median',
      source: 's',
      overall: { application: 0.8, infrastructure: 0.2, source: 's' },
      infrastructure: {
        combine: 'geometricMean',
        operations: [{ id: 'vmotion', name: 'vMotion', reference: 20, referenceSource: 's' }],
        hostsPerLoop: 2,
        hostsPerLoopSource: 's',
        source: 's',
      },
      ...scoring,
    },
    ...more,
  });

/**
 * A stored run of three periods: database 10, 30, 20 tps; 20, 60, 40 operations an hour; 100, 300,
 * 200 W. `lost` samples of the meter are left out of each period.
 */
function stored(profile: Profile, lost = 0): RunRecord {
  const record = { ...demoRecord('r', series, startMs, 3), profile };
  record.plan = { ...record.plan, tiles: 1, phases: profile.phases };
  record.overview = {
    ...record.overview,
    state: 'collecting',
    abortReason: null,
    series,
    phases: [
      {
        name: 'steady',
        startMs,
        endMs: startMs + 3 * periodMs,
        plannedEndMs: startMs + 3 * periodMs,
      },
    ],
    periods: [0, 1, 2].map((index) => ({
      index,
      startMs: startMs + index * periodMs,
      endMs: startMs + (index + 1) * periodMs,
    })),
  };
  db.runs.save(record);
  db.samples.defineSeries('r', series);
  const factor = [1, 3, 2];
  const triples: number[] = [];
  for (let s = 0; s < 180; s += 1) {
    const at = startMs + s * 1_000;
    const f = factor[Math.floor(s / 60)]!;
    triples.push(0, at, 10 * f);
    if (s % 10 === 0) triples.push(1, at, 20 * f);
    if (s % 60 >= lost) triples.push(2, at, 100 * f);
  }
  db.samples.append({ runId: 'r', batch: Float64Array.from(triples), journal: [] });
  return record;
}

test('from stored samples: both parts, the total of the median period, and its kilowatts', () => {
  const score = finalScore(db, stored(profileOf()));
  // Period 3 is the median: application 20/10 = 2, infrastructure 40/20 = 2, at 200 W.
  expect(score).toMatchObject({
    total: 2,
    application: 2,
    infrastructure: 2,
    chosenPeriod: 2,
    missing: [],
    power: { meanW: 200, value: 10, refused: null, measuredBy: 'PDU' },
  });
  expect(score.periods.map((p) => p.total)).toEqual([1, expect.closeTo(3, 9), 2]);
  expect(score.periods[0]!.tiles[0]!.workloads).toHaveLength(1);
});

test('a meter that lost a sixth of its samples gives no figure, and the score stands', () => {
  expect(finalScore(db, stored(profileOf(), 10))).toMatchObject({
    total: 2,
    power: { value: null, refused: 'PDU (PDU) gave 50 of 60 samples in period 3' },
  });
});

const unset = profileOf({
  infrastructure: {
    combine: 'geometricMean',
    operations: [
      { id: 'vmotion', name: 'vMotion', reference: null, referenceSource: 'not public' },
    ],
    hostsPerLoop: 2,
    hostsPerLoopSource: 's',
    source: 's',
  },
});

test('a run without a reference has no score, keeps its rules, and is no row of scores', () => {
  const record = stored(unset);
  const score = finalScore(db, record);
  expect(score).toMatchObject({
    total: null,
    infrastructure: null,
    reference: 'none',
    missing: ['no reference: nothing says what scores 1.0'],
  });
  expect(judge(record, score)).toEqual({
    outcome: 'passed',
    compliant: true,
    sentence: 'Passed: no score without a reference, 1 tile (scaling study), no QoS limit set.',
  });
  db.runs.save({ ...record, overview: { ...record.overview, state: 'passed', score } });
  expect(db.runs.list()[0]).toMatchObject({
    score: null,
    totals: [{ name: 'Database', unit: 'tps', total: 20 }],
  });
});

test('the reference point of a study is held against itself and says so; it is no row of scores either', () => {
  const record = stored(unset);
  record.plan = { ...record.plan, study: { id: 's', key: 'tiles=1' } };
  const score = finalScore(db, record);
  // 40 operations an hour over the mean of 20, 60 and 40.
  expect(score).toMatchObject({ infrastructure: 1, reference: 'itself' });
  expect(judge(record, score).sentence).toContain(
    'Passed: reference of its study, 1 tile (scaling study)',
  );
  db.runs.save({ ...record, overview: { ...record.overview, state: 'passed', score } });
  expect(db.runs.list()[0]!.score).toBeNull();
});

test('the verdict prints as the field does and names what is not shown, broken or not set', () => {
  const number = { decimals: 3, source: 's' };
  const plain = stored(profileOf({ number }));
  expect(judge(plain, finalScore(db, plain))).toEqual({
    outcome: 'passed',
    compliant: true,
    sentence: 'Passed: 2.000 @ 1 tile (scaling study), no QoS limit set.',
  });
  const ruled = stored(
    profileOf(
      {},
      {
        minimumHosts: 2,
        rules: [
          { id: 'alive', kind: 'standbyAlive', text: 'Every standby VM stays alive', source: 's' },
        ],
      },
    ),
  );
  expect(judge(ruled, finalScore(db, ruled)).sentence).toBe(
    'Finished, not compliant: 2.00 @ 1 tile (scaling study); rule not shown to hold: At least 2 hosts (The number of hosts is not known without a vCenter, 2 needed); rule not shown to hold: Every standby VM stays alive (The profile has no workload of role standby).',
  );
  const apart = stored(
    profileOf({ overall: { application: null, infrastructure: null, source: 'not public' } }),
  );
  expect(judge(apart, finalScore(db, apart)).sentence).toBe(
    'Finished, not compliant: no score (scaling study); no total: the weights of application and infrastructure are not set in the profile; the parts are shown apart.',
  );
});
