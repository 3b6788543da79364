import { createChartGroup } from '../../charts/group.ts';
import { testSeries } from '../../charts/testing/lab.ts';
import { moved } from './boardPins.ts';
import { toggleFollow, viewWords } from './BoardStatus.tsx';
import { boardLanes, bunches, labelFits, lanesSummary, oneLane } from './laneModel.ts';
import { rank, rankSpecs, rankSummary } from './rankModel.ts';
import { testOverview, testStartMs } from './testing/overview.ts';

const at = (s: number): number => testStartMs + s * 1_000;
const cpu = rankSpecs[0]!;
const host = (name: string, value: number | null, change = {}) =>
  testSeries(name, value === null ? [] : [[0, value]], { unit: '%', originMs: 0, ...change });

test('hosts are ranked highest first, the silent ones last; high and stale in words', () => {
  const list = rank(
    cpu,
    [
      host('esx-1', 40, { periodMs: 20_000 }),
      host('esx-2', null),
      host('esx-10', 95, { periodMs: 20_000 }),
      host('esx-3', 85, { periodMs: 100 }),
    ],
    (s) => s.source.lastValue(),
    11_500,
  );
  expect(list.map((r) => [r.name, r.state])).toEqual([
    ['esx-10', 'over'],
    ['esx-3', 'stale'],
    ['esx-1', 'ok'],
    ['esx-2', 'none'],
  ]);
  expect(list.map((r) => r.text)).toEqual([
    'esx-10: 95.0 %, very high',
    'esx-3: 85.0 %, stale for 12 s',
    'esx-1: 40.0 %',
    'esx-2: –, no sample',
  ]);
  expect(list[0]!.share).toBeCloseTo(0.95);
  expect(rankSummary(cpu, list, '%', null)).toBe(
    '1 of 4 ≥ 82.0 %, median 85.0 %, 1 stale, 1 without sample',
  );
  expect(
    rankSummary(
      cpu,
      rank(cpu, [host('a', null)], (s) => s.source.lastValue(), null),
      '%',
      null,
    ),
  ).toBe('No sample yet');
  expect(
    rankSummary(
      cpu,
      rank(cpu, [host('a', null)], (s) => s.source.lastValue(), null),
      '%',
      null,
      true,
    ),
  ).toBe('Reading what was measured so far');
  expect(
    rankSummary(
      cpu,
      rank(cpu, [host('a', null)], (s) => s.source.lastValue(), null),
      '%',
      'mean of the periods',
    ),
  ).toBe('No sample for the mean of the periods');
});

test('each kind of mark has a lane and a shape; a failed operation and a fault are told apart from the rest', () => {
  const event = (id: number, s: number, kind: never, more = {}) => ({
    id,
    tMs: at(s),
    kind,
    text: `e${id}`,
    ...more,
  });
  const overview = testOverview({
    events: [
      event(1, 5, 'tileStarted' as never),
      event(2, 70, 'note' as never),
      event(3, 80, 'fault' as never),
      event(4, 60, 'drs' as never),
      event(5, 61, 'vm' as never, { by: 'run' }),
      event(6, 62, 'vm' as never, { by: 'other' }),
      event(9, 63, 'vm' as never, { by: 'teaming' }),
      event(7, 90, 'operation' as never, {
        operation: {
          id: 'o',
          vmRef: null,
          ok: false,
          attempts: 1,
          tookMs: 1,
          queuedMs: null,
          ranMs: null,
        },
      }),
      event(8, 1, 'state' as never),
    ],
  });
  const lanes = boardLanes(overview, testStartMs);
  expect(
    lanes.map((l) => [l.title, l.spans.length, l.marks.map((m) => `${m.shape} ${m.what}`)]),
  ).toEqual([
    ['Phases', 2, []],
    ['Periods', 1, []],
    ['Tiles', 0, ['tick Tile started']],
    ['Operations', 0, ['circle Operation of this run', 'cross Operation failed']],
    [
      'DRS and other moves',
      0,
      ['diamond DRS or HA', 'triangle Somebody else', 'square Teaming of uplinks'],
    ],
    ['Notes', 0, ['flag Note']],
    ['Faults', 0, ['cross Fault']],
  ]);
  const one = oneLane(lanes);
  expect(one.spans.map(({ label }) => label)).toEqual(['Ramp-up', 'Period 1']);
  expect(one.marks.filter((m) => m.bad).map((m) => m.what)).toEqual(['Fault', 'Operation failed']);
  expect(one.marks.some(({ what }) => what === 'Tile started')).toBe(false);
  expect(lanesSummary(lanes)).toBe(
    'Ramp-up 0:00 to 1:00. Steady state 1:00 to 6:00 as planned. Period 1 1:00 to 6:00. Tiles: 1. Operations: 2. DRS and other moves: 3. Notes: 1. Faults: 1.',
  );
  expect(bunches(lanes[3]!.marks, 40_000).map((g) => g.length)).toEqual([2]);
  expect(bunches(lanes[3]!.marks, 10_000).map((g) => g.length)).toEqual([1, 1]);
});

test('what the board shows has a word: following, paused, zoomed; one key goes back to following', () => {
  const group = createChartGroup();
  const words = (live = true) => viewWords(group.get(), live, (ms) => `${ms / 1_000} s`).text;
  expect(words()).toBe('Following');
  toggleFollow(group, 90_000);
  expect(words()).toBe('Paused at 90 s');
  group.set({ zoom: [10_000, 20_000] });
  expect(words()).toBe('Zoomed: 10 s to 20 s, not following');
  expect(words(false)).toBe('Zoomed: 10 s to 20 s');
  toggleFollow(group, 95_000);
  expect([words(), group.get().pausedAtMs]).toEqual(['Following', null]);
});

test('a pinned chart moves among its neighbours and never past the ends', () => {
  expect([
    moved(['a', 'b', 'c'], 'c', 0),
    moved(['a', 'b', 'c'], 'a', 9),
    moved(['a', 'b', 'c'], 'b', -1),
  ]).toEqual([
    ['c', 'a', 'b'],
    ['b', 'c', 'a'],
    ['b', 'a', 'c'],
  ]);
});

test('a span of the lane that is too short for its words has none, not a part of a letter', () => {
  expect(labelFits('Ramp-down', 1)).toBe(false);
  expect(labelFits('Period 1', 13)).toBe(true);
  expect(labelFits('Steady state', 40)).toBe(true);
});
