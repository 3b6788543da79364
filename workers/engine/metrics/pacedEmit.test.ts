import type { RunOverview } from '../../../src/core/run/run.ts';
import type { EventName } from '../../../src/wire/contract.ts';
import { createPacedEmit, type PacedEmit } from './pacedEmit.ts';
import { mergeThinned } from './thin.ts';

let nowMs: number;
let timers: { atMs: number; ring: () => void }[];
let told: { event: EventName; payload: unknown; atMs: number }[];
let paced: PacedEmit;
const go = (ms: number): void => {
  const untilMs = nowMs + ms;
  for (;;) {
    const next = timers.sort((a, b) => a.atMs - b.atMs).find((one) => one.atMs <= untilMs);
    if (!next) break;
    timers.splice(timers.indexOf(next), 1);
    nowMs = next.atMs;
    next.ring();
  }
  nowMs = untilMs;
};
beforeEach(() => {
  nowMs = 0;
  timers = [];
  told = [];
  paced = createPacedEmit({
    emit: (event: EventName, payload: unknown) => {
      told.push({ event, payload, atMs: nowMs });
    },
    everyMs: 100,
    pointsPerSeries: 9,
    wall: () => nowMs,
    timer: (ms, ring) => {
      const one = { atMs: nowMs + ms, ring };
      timers.push(one);
      return () => {
        timers.splice(timers.indexOf(one), 1);
      };
    },
  });
});
const overview = (rev: number, state: RunOverview['state'] = 'steady', id = 'r'): RunOverview =>
  ({ id, rev, state }) as RunOverview;
const revs = (): unknown[] =>
  told
    .filter((one) => one.event === 'run.changed')
    .map(({ payload, atMs }) => [(payload as RunOverview).rev, atMs]);

test('a flood of one subject is told at most every 100 ms, and the last word is told', () => {
  for (let i = 0; i < 1_000; i += 1) {
    paced.emit('run.changed', overview(i));
    go(1);
  }
  go(1_000);
  expect(revs()).toHaveLength(11);
  expect(revs()[0]).toEqual([0, 0]);
  expect(revs().at(-1)).toEqual([999, 1_000]);
});

test('two subjects do not wait for each other', () => {
  paced.emit('run.changed', overview(1, 'steady', 'a'));
  paced.emit('run.changed', overview(1, 'steady', 'b'));
  expect(told).toHaveLength(2);
});

test('an end of a run is told at once, its samples before it', () => {
  paced.emit('run.changed', overview(1));
  paced.emit('run.samples', { runId: 'r', batch: Float64Array.of(0, 1, 1) });
  paced.emit('run.samples', { runId: 'r', batch: Float64Array.of(0, 2, 2) });
  paced.emit('run.changed', overview(2));
  paced.emit('run.changed', overview(3, 'passed'));
  expect(told.map((one) => one.event)).toEqual([
    'run.changed',
    'run.samples',
    'run.samples',
    'run.changed',
  ]);
  expect(revs().at(-1)).toEqual([3, 0]);
  go(1_000);
  expect(told).toHaveLength(4);
});

test('notices and changes of a study wait for nothing; closing tells what is held', () => {
  paced.emit('run.changed', overview(1));
  paced.emit('run.changed', overview(2));
  paced.emit('notice', { level: 'info', text: 'now' });
  paced.emit('study.changed', { spec: { id: 's' } } as never);
  paced.emit('study.changed', { spec: { id: 's' } } as never);
  expect(told.map((one) => one.event)).toEqual([
    'run.changed',
    'notice',
    'study.changed',
    'study.changed',
  ]);
  paced.close();
  expect(revs().at(-1)).toEqual([2, 0]);
});

test('samples of an interval come as one batch, each series with its peak and its last', () => {
  paced.emit('run.samples', { runId: 'r', batch: Float64Array.of(0, 0, 0) });
  for (let t = 1; t <= 360; t += 1) {
    const batch = new Float64Array(960 * 3);
    for (let id = 0; id < 960; id += 1)
      batch.set([id, t, id === 7 && t === 200 ? 1_000 : (t * 31 + id) % 50], id * 3);
    paced.emit('run.samples', { runId: 'r', batch });
  }
  go(100);
  const { batch } = told.at(-1)!.payload as { batch: Float64Array };
  expect(told).toHaveLength(2);
  expect(batch.length / 3).toBeLessThanOrEqual(960 * 9);
  const seventh = [...Array(batch.length / 3).keys()]
    .filter((i) => batch[i * 3] === 7)
    .map((i) => [batch[i * 3 + 1]!, batch[i * 3 + 2]!]);
  expect(seventh).toContainEqual([200, 1_000]);
  expect(seventh.at(-1)![0]).toBe(360);
  expect(seventh.map(([t]) => t)).toEqual([...seventh.map(([t]) => t!)].sort((a, b) => a - b));
});

test('few samples pass unchanged', () => {
  expect([
    ...mergeThinned([Float64Array.of(1, 1, 5), Float64Array.of(1, 2, 6, 2, 2, 7)], 9),
  ]).toEqual([1, 1, 5, 1, 2, 6, 2, 2, 7]);
});
