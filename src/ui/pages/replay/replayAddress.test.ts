import { fromParams, toParams } from './replayAddress.ts';

const span = { startMs: 1_000_000, endMs: 1_600_000 };

test.each([
  ['', 1_000_000, 60, true],
  ['at=120&speed=600', 1_120_000, 600, true],
  ['at=7.5&paused=1', 1_007_500, 60, false],
  ['at=never&speed=fast', 1_000_000, 1, true],
  ['speed=70', 1_000_000, 60, true],
])('?%s', (text, atMs, speed, playing) => {
  expect(fromParams(new URLSearchParams(text), span)).toEqual({ atMs, speed, playing });
});

test('an address written is read as the same', () => {
  const written = toParams({ span, speed: 300, playing: false }, 1_234_000);
  expect(written).toEqual({ at: '234', speed: '300', paused: '1' });
  expect(fromParams(new URLSearchParams(written), span)).toEqual({
    atMs: 1_234_000,
    speed: 300,
    playing: false,
  });
});
