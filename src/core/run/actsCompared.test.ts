import { type ActEffect, actSchema, type ActState } from '../acts/act.ts';
import { recoveryRule } from '../acts/effect.ts';
import { compareActs, type RunOfActs } from './actsCompared.ts';

const effect = (of: Partial<ActEffect> = {}): ActEffect => ({
  entityId: 't0.db',
  throughputBefore: 100,
  throughputAfter: 100,
  latencyBeforeMs: 4,
  latencyAfterMs: 4,
  outcome: 'recovered',
  recoveryS: 60,
  workLost: 500,
  violatedS: 20,
  missingS: 0,
  ...of,
});
/** A run whose steady state begins at 1,000 s, with one host that fails 300 s later. */
const run = (
  of: Partial<ActState> = {},
  act: { lastsS?: number; target?: string; amount?: number } = {},
  tiles = 1,
): RunOfActs => {
  const { lastsS = null, target = 'esx1', amount = null } = act;
  const state: ActState = {
    id: 'a',
    kind: 'hostFails',
    label: `Host ${target} fails`,
    plannedMs: 1_300_000,
    by: 'console',
    state: 'undone',
    startedMs: 1_300_000,
    doneMs: 1_300_000,
    endedMs: 1_900_000,
    text: '',
    owed: false,
    before: null,
    effects: [effect()],
    rule: { ...recoveryRule },
    ...of,
  };
  const acts = [
    actSchema.parse({
      id: 'a',
      kind: 'hostFails',
      atS: 300,
      lastsS,
      amount,
      target: { ref: target, name: target },
    }),
  ];
  return {
    plan: { acts, tiles },
    overview: {
      acts: [state],
      workloads: [{ entityId: 't0.db', workloadId: 'db', tile: 0 }],
      phases: [{ name: 'steady', startMs: 1_000_000, endMs: 2_000_000, plannedEndMs: 2_000_000 }],
    },
  } as unknown as RunOfActs;
};
const guards = (...runs: RunOfActs[]): string[][] =>
  compareActs(runs, ['A', 'B', 'C']).map((one) => one.guards);

test('the same act in two runs stands side by side', () => {
  const [only, ...others] = compareActs(
    [run(), run({ effects: [effect({ recoveryS: 90, workLost: 900 })], startedMs: 1_304_000 })],
    ['A', 'B'],
  );
  expect(others).toEqual([]);
  expect(only).toMatchObject({ label: 'Host esx1 fails', guards: [] });
  expect(
    only!.rows.map(({ workloadId, cells }) => [workloadId, cells.map((c) => c?.recoveryS)]),
  ).toEqual([['db', [60, 90]]]);
});

test.each<[string, RunOfActs, string]>([
  [
    'another time',
    run({ startedMs: 1_400_000 }),
    'Begun in the steady state at: 5:00 in A, 6:40 in B.',
  ],
  ['another length', run({}, { lastsS: 60 }), 'Lasts: to the end in A, 1:00 in B.'],
  ['another amount', run({}, { amount: 3 }), 'Amount: none in A, 3 in B.'],
  ['by hand', run({ by: 'hand' }), 'Done: by the console in A, by hand in B.'],
  ['more tiles', run({}, {}, 2), 'Tiles: 1 in A, 2 in B.'],
  ['it failed', run({ state: 'failed' }), 'In B it failed.'],
  ['it did not begin', run({ startedMs: null, state: 'missed' }), 'In B it did not begin.'],
  ['no figures', run({ effects: undefined }), 'B has no figures of it.'],
])('%s: not comparable, and why', (_what, other, why) => {
  expect(guards(run(), other)).toEqual([[why]]);
});

test('another rule, or one that was not recorded, is not comparable', () => {
  expect(guards(run(), run({ rule: { ...recoveryRule, bandPct: 20 } }))[0]![0]).toMatch(
    /^Judged by: .* 10 % of throughput, .* in A, .* 20 % of throughput, .* in B\.$/,
  );
  expect(guards(run(), run({ rule: undefined }))[0]![0]).toMatch(
    /a rule that was not recorded in B\.$/,
  );
});

test('an act on another host is another act, told where it is missing', () => {
  expect(guards(run(), run({}, { target: 'esx2' }))).toEqual([
    ['B has no such act.'],
    ['A has no such act.'],
  ]);
  expect(compareActs([run()], ['A'])[0]!.guards).toEqual([]);
});
