import { overviewAt } from '../../../core/run/replay.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { storedSource } from '../../engine/series.ts';
import { demoProfile, type DemoRun, demoRun, samplesOf } from '../runs/testing/records.ts';
import { type BigNumber, bigNumber, runNumbers, transactionsAMinute, usersOf } from './numbers.ts';

/** The run as it stood, with samples up to then. */
function at(
  run: DemoRun,
  seconds: number,
  change: Partial<RunOverview> = {},
): Record<string, BigNumber> {
  const nowMs = run.spec.startedAtMs + seconds * 1_000;
  const data = new Map(
    samplesOf(
      run,
      run.record.overview.series.map((s) => s.id),
    ).map((d) => {
      const end = d.tMs.findIndex((t) => t > nowMs);
      const cut = end < 0 ? d.tMs.length : end;
      return [
        d.seriesId,
        storedSource({ tMs: d.tMs.slice(0, cut), value: d.value.slice(0, cut) }, 1_000),
      ];
    }),
  );
  const empty = storedSource({ tMs: new Float64Array(0), value: new Float64Array(0) }, 1_000);
  return Object.fromEntries(
    runNumbers({
      overview: { ...overviewAt(run.record, nowMs), ...change },
      record: run.record,
      sourceOf: (id) => data.get(id) ?? empty,
      nowMs,
    }).map((n) => [n.key, n]),
  );
}

test('in the steady state: tiles, VMs, transactions and watts as the samples say', () => {
  const run = demoRun();
  const numbers = at(run, 150);
  expect(numbers['tiles']).toMatchObject({ value: 2, text: '2' });
  expect(numbers['vms']).toMatchObject({ value: 8, label: 'Virtual machines' });
  // Two databases at 812.4 transactions a second, wobbling by 2 %.
  expect(numbers['transactions']!.value! / (2 * 812.4 * 60)).toBeCloseTo(1, 2);
  expect((numbers['wattsPerVm']!.value! * 8) / 470).toBeCloseTo(1, 2);
  // Scores come with completed periods; no period is complete before 120 s.
  expect(numbers['scaling']!.value).toBeCloseTo(2, 1);
  expect(at(run, 100)['scaling']).toBeUndefined();
});

test('during the ramp-up only tiles whose load has begun count', () => {
  expect(at(demoRun(), 5)).toMatchObject({ tiles: { value: 1 }, vms: { value: 4 } });
});

test('what a run cannot give is not there: no users, no meter, no transactions, no VMs, no score', () => {
  const noMeter = demoRun({ absent: ['powerW'] });
  expect(Object.keys(at(noMeter, 100))).toEqual(['tiles', 'vms', 'transactions']);
  const noNames = demoRun();
  const overview = noNames.record.overview;
  const numbers = at(noNames, 100, {
    workloads: overviewAt(noNames.record, noNames.spec.startedAtMs + 100_000).workloads.map(
      (w) => ({ ...w, vmName: null }),
    ),
  });
  expect(Object.keys(numbers)).toEqual(['tiles', 'transactions']);
  expect(overview.workloads).toHaveLength(8);
});

test('what it gives, but not now, is missing and not zero', () => {
  const run = demoRun();
  const silent = at(run, 1);
  expect(silent['transactions']!.value).not.toBe(0);
  const before = at(run, 0.5);
  expect(before).toMatchObject({
    transactions: { value: null, text: '–' },
    wattsPerVm: { value: null, text: '–' },
  });
  // The load has ended more than a minute ago: nothing is measured any more.
  expect(at(run, 100_000)).toMatchObject({
    tiles: { value: 2 },
    transactions: { value: null },
    wattsPerVm: { value: null },
  });
});

test('users come from the parameter of that name: profile, then VM, then plan; of started tiles only', () => {
  const profile = {
    ...demoProfile,
    workloads: demoProfile.workloads.map((w) =>
      w.id === 'java' ? { ...w, params: { users: 100 } } : w,
    ),
  };
  const run = demoRun({ profile });
  expect(at(run, 100)['users']).toMatchObject({ value: 200, text: '200' });
  expect(at(run, 5)['users']).toMatchObject({ value: 100 });
  const testbed = {
    ...run.record.testbed,
    tiles: run.record.testbed.tiles.map((t) => ({
      ...t,
      workloads: t.workloads.map((w) =>
        w.workloadId === 'java' && t.index === 0 ? { ...w, params: { users: 70 } } : w,
      ),
    })),
  };
  const all = run.record.overview.workloads;
  expect(usersOf({ ...run.record, testbed }, all)).toBe(170);
  expect(
    usersOf(
      { ...run.record, testbed, plan: { ...run.record.plan, overrides: { java: { users: 5 } } } },
      all,
    ),
  ).toBe(10);
  expect(
    usersOf(
      {
        ...run.record,
        profile: {
          ...profile,
          workloads: profile.workloads.map((w) => ({ ...w, params: { threads: 8, users: 0 } })),
        },
      },
      all,
    ),
  ).toBeNull();
});

test.each([
  ['tps', 60],
  ['TPM', 1],
  ['trans/s', 60],
  ['transactions/min', 1],
  ['MB/s', null],
  ['ops/s', null],
  ['pages/s', null],
  ['mails/s', null],
])('%s counts %s transactions a minute', (unit, factor) => {
  expect(transactionsAMinute(unit)).toBe(factor);
});

test.each([
  ['users', 17_000, '17\u202f000'],
  ['users', 123_456, '123k'],
  ['scaling', 15.93, '15.9'],
  ['scaling', 4.004, '4.00'],
  ['scaling', 9.97, '10.0'],
  ['wattsPerVm', 17.46, '17.5'],
  ['tiles', null, '–'],
  ['scaling', NaN, '–'],
] as const)('%s %s is read as %s', (key, value, text) => {
  expect(bigNumber(key, value).text.replace(/\s/g, '\u202f')).toBe(text);
});
