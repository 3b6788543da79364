import {
  createReplayClock,
  positionAt,
  reduceClock,
  type ReplayAction,
  type ReplayClockState,
  seekByKey,
  speedOf,
} from './replayClock.ts';

const span = { startMs: 1_000_000, endMs: 1_600_000 };
const state: ReplayClockState = {
  span,
  speed: 10,
  playing: true,
  anchorMs: 1_100_000,
  anchorWallMs: 5_000,
};

test.each([
  // wall, position
  [5_000, 1_100_000],
  [6_000, 1_110_000],
  [55_000, 1_600_000],
  [500_000, 1_600_000],
  [4_000, 1_100_000],
])('playing at 10×: at wall %d the run stands at %d', (wall, at) => {
  expect(positionAt(state, wall)).toBe(at);
});

test.each<[ReplayAction, Partial<ReplayClockState>, number]>([
  [{ do: 'pause' }, { playing: false }, 1_110_000],
  [{ do: 'toggle' }, { playing: false }, 1_110_000],
  [{ do: 'speed', speed: 600 }, { speed: 600, playing: true }, 1_110_000],
  [{ do: 'faster' }, { speed: 30 }, 1_110_000],
  [{ do: 'slower' }, { speed: 5 }, 1_110_000],
  [{ do: 'seek', toMs: 1_300_000 }, { playing: true }, 1_300_000],
  [{ do: 'seek', toMs: 0 }, {}, 1_000_000],
  [{ do: 'seek', toMs: 9e9 }, {}, 1_600_000],
])('%j after a second', (action, change, at) => {
  const next = reduceClock(state, action, 6_000);
  expect(next).toMatchObject(change);
  expect(positionAt(next, 6_000)).toBe(at);
});

test('the fastest and the slowest speed stay', () => {
  expect(reduceClock({ ...state, speed: 600 }, { do: 'faster' }, 0).speed).toBe(600);
  expect(reduceClock({ ...state, speed: 1 }, { do: 'slower' }, 0).speed).toBe(1);
});

test('to play, or to toggle, at the end starts over', () => {
  for (const action of ['play', 'toggle'] as const)
    expect(reduceClock(state, { do: action }, 99_000)).toMatchObject({
      playing: true,
      anchorMs: span.startMs,
    });
});

test.each([
  ['ArrowRight', false, 1_110_000],
  ['ArrowLeft', false, 1_090_000],
  ['ArrowRight', true, 1_101_000],
  ['ArrowDown', false, 1_090_000],
  ['PageUp', false, 1_160_000],
  ['PageDown', false, 1_040_000],
  ['Home', false, 1_000_000],
  ['End', false, 1_600_000],
  ['x', false, null],
])('key %s, shift %s leads to %d', (key, shift, to) => {
  expect(seekByKey(key, shift, 1_100_000, span)).toBe(to);
});

test('keys do not leave the run', () => {
  expect(seekByKey('ArrowLeft', false, 1_003_000, span)).toBe(1_000_000);
  expect(seekByKey('PageUp', false, 1_590_000, span)).toBe(1_600_000);
});

test.each([
  [0, 1],
  [60, 60],
  [70, 60],
  [1e9, 600],
  [NaN, 1],
])('a wish of %d gives %d×', (wish, speed) => {
  expect(speedOf(wish)).toBe(speed);
});

test('a clock tells its actions and keeps its place over them', () => {
  let wall = 0;
  const told: number[] = [];
  const clock = createReplayClock(span, { speed: 60 }, () => wall);
  const stop = clock.subscribe(() => told.push(clock.now()));
  wall = 1_000;
  clock.dispatch({ do: 'faster' });
  wall = 2_000;
  clock.dispatch({ do: 'pause' });
  stop();
  clock.dispatch({ do: 'seek', toMs: 0 });
  expect(told).toEqual([1_060_000, 1_180_000]);
  expect(clock.now()).toBe(1_000_000);
});
