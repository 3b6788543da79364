import { createVirtualClock, type VirtualClock } from './clock.ts';

/** A wall that stands until it is told to go, and wakes those who wait for it. */
function fakeWall(): {
  now: () => number;
  timer: (ms: number, ring: () => void) => () => void;
  go(ms: number): Promise<void>;
} {
  let nowMs = 0;
  const waiting = new Set<{ atMs: number; wake: () => void }>();
  const turns = async (): Promise<void> => {
    for (let i = 0; i < 6; i += 1)
      await new Promise<void>((done) => {
        setImmediate(done);
      });
  };
  return {
    now: () => nowMs,
    timer(ms, ring) {
      const one = {
        atMs: nowMs + ms,
        wake: (): void => {
          waiting.delete(one);
          ring();
        },
      };
      waiting.add(one);
      return () => {
        waiting.delete(one);
      };
    },
    async go(ms) {
      const untilMs = nowMs + ms;
      await turns();
      for (;;) {
        const next = [...waiting]
          .sort((a, b) => a.atMs - b.atMs)
          .find((one) => one.atMs <= untilMs);
        if (!next) break;
        nowMs = Math.max(nowMs, next.atMs);
        next.wake();
        await turns();
      }
      nowMs = untilMs;
      await turns();
    },
  };
}
const clocks: VirtualClock[] = [];
const made = (options: Parameters<typeof createVirtualClock>[0]): VirtualClock => {
  const clock = createVirtualClock(options);
  clocks.push(clock);
  return clock;
};
afterEach(() => {
  for (const clock of clocks.splice(0)) clock.close();
});

test('as fast as the machine goes: an hour of a thousand sleepers passes without the wall', async () => {
  const wall = fakeWall();
  const clock = made({ startMs: 1_000, speed: null, wall: wall.now, timer: wall.timer });
  const woken: number[] = [];
  await Promise.all(
    Array.from({ length: 1_000 }, (_, i) =>
      clock.sleep(((i * 7_919) % 1_000) * 3_600).then(() => {
        woken.push(clock.now());
      }),
    ),
  );
  expect(woken).toEqual([...woken].sort((a, b) => a - b));
  expect(clock.now()).toBe(1_000 + 999 * 3_600);
});

test('timers of equal time wake in the order they were set, each with what it sets off before time moves on', async () => {
  const clock = made({ startMs: 0, speed: null });
  const seen: string[] = [];
  const one = async (name: string): Promise<void> => {
    await clock.sleep(10);
    seen.push(name);
    await Promise.resolve();
    seen.push(`${name}'`);
    await clock.sleep(0);
    seen.push(`${name}@${clock.now()}`);
  };
  await Promise.all([
    one('a'),
    one('b'),
    clock.sleep(11).then(() => {
      seen.push('later');
    }),
  ]);
  expect(seen).toEqual(['a', 'b', "a'", "b'", 'a@10', 'b@10', 'later']);
});

test.each([[1], [60], [3_600]])(
  'at %d×, time keeps to the wall and never runs ahead of it',
  async (speed) => {
    const wall = fakeWall();
    const clock = made({ startMs: 0, speed, wall: wall.now, timer: wall.timer });
    let woken = -1;
    void clock.sleep(speed * 2_000).then(() => {
      woken = wall.now();
    });
    await wall.go(1_999);
    expect({ woken, now: clock.now() <= speed * 1_999 }).toEqual({ woken: -1, now: true });
    await wall.go(2);
    expect(woken).toBeGreaterThanOrEqual(2_000);
  },
);

test('time stands for what the last timer woke: load ended minutes late where all timers rang at once', async () => {
  let wallMs = 0;
  const clock = made({
    startMs: 0,
    speed: 3_600,
    wall: () => wallMs,
    timer: (ms, ring) => {
      const timer = setImmediate(() => {
        wallMs += ms;
        ring();
      });
      return () => clearImmediate(timer);
    },
  });
  const seen: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await clock.sleep(5_000);
    // Work that takes 40 ms of the wall, more than two minutes at this speed.
    wallMs += 40;
    seen.push(clock.now());
  }
  expect(seen).toEqual([5_000, 10_000, 15_000, 20_000]);
});

test('with nothing to do it follows the wall at its speed; as fast as possible it stands', async () => {
  const wall = fakeWall();
  const clock = made({ startMs: 0, speed: 10, wall: wall.now, timer: wall.timer });
  await wall.go(500);
  expect(clock.now()).toBe(5_000);
  clock.setPace({ speed: null, paused: false });
  await wall.go(500);
  expect(clock.now()).toBe(5_000);
});

test('paused it stands, with sleepers and without; going on loses and repeats nothing', async () => {
  const wall = fakeWall();
  const clock = made({ startMs: 0, speed: 10, paused: true, wall: wall.now, timer: wall.timer });
  let woken = false;
  void clock.sleep(1_000).then(() => {
    woken = true;
  });
  await wall.go(60_000);
  expect([clock.now(), woken]).toEqual([0, false]);
  clock.setPace({ speed: 10, paused: false });
  await wall.go(99);
  expect([clock.now(), woken]).toEqual([990, false]);
  await wall.go(2);
  expect(woken).toBe(true);
});

test('a change of speed takes effect at once, also for who sleeps already', async () => {
  const wall = fakeWall();
  const clock = made({ startMs: 0, speed: 1, wall: wall.now, timer: wall.timer });
  let woken = false;
  void clock.sleep(3_600_000).then(() => {
    woken = true;
  });
  await wall.go(1_000);
  clock.setPace({ speed: 3_600, paused: false });
  await wall.go(1_000);
  expect([clock.now(), woken]).toEqual([3_601_000, true]);
});

test('a cancelled sleep rejects as aborted and holds nothing up', async () => {
  const clock = made({ startMs: 0, speed: null });
  const stop = new AbortController();
  const long = clock.sleep(1e9, stop.signal);
  stop.abort();
  await expect(long).rejects.toMatchObject({ kind: 'aborted' });
  await expect(clock.sleep(5, stop.signal)).rejects.toMatchObject({ kind: 'aborted' });
  await clock.sleep(10);
  expect(clock.now()).toBe(10);
});

test('ticks come with a change of pace and about once a real second while time passes', async () => {
  const wall = fakeWall();
  const clock = made({ startMs: 0, speed: 10, wall: wall.now, timer: wall.timer });
  let ticks = 0;
  clock.onTick(() => {
    ticks += 1;
  });
  void (async () => {
    for (let i = 0; i < 500; i += 1) await clock.sleep(100);
  })();
  await wall.go(3_500);
  expect(ticks).toBe(4);
  clock.setPace({ speed: 20, paused: false });
  expect(ticks).toBe(5);
});
