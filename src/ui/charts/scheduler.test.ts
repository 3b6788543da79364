import { createScheduler, type Drawable } from './scheduler.ts';

function lab(costMs: number): {
  frame: () => number;
  drawn: string[];
  make: (name: string) => Drawable;
  scheduler: ReturnType<typeof createScheduler>;
  pending: () => boolean;
} {
  let now = 0;
  let callback: (() => void) | null = null;
  const drawn: string[] = [];
  const scheduler = createScheduler({
    request: (c) => {
      callback = c;
      return 1;
    },
    cancel: () => {
      callback = null;
    },
    nowMs: () => now,
  });
  return {
    drawn,
    scheduler,
    pending: () => callback !== null,
    frame: () => {
      const c = callback;
      callback = null;
      const before = drawn.length;
      c?.();
      now += 16;
      return drawn.length - before;
    },
    make: (name) => ({
      draw: () => {
        drawn.push(name);
        now += costMs;
        return name.startsWith('heavy');
      },
    }),
  };
}

test('cheap charts share a frame, dear ones are spread over frames', () => {
  const cheap = lab(0.5);
  for (let i = 0; i < 8; i++) cheap.scheduler.request(cheap.make(`c${i}`));
  expect(cheap.frame()).toBe(8);
  const dear = lab(4);
  for (let i = 0; i < 6; i++) dear.scheduler.request(dear.make(`c${i}`));
  expect([dear.frame(), dear.frame(), dear.frame(), dear.frame()]).toEqual([2, 2, 2, 0]);
  expect(dear.drawn).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5']);
});

test('a chart over the budget still draws, one a frame, in turn', () => {
  const { scheduler, make, frame, drawn } = lab(50);
  const a = make('a'),
    b = make('b');
  scheduler.request(a);
  scheduler.request(b);
  scheduler.request(a);
  expect([frame(), frame(), frame()]).toEqual([1, 1, 0]);
  expect(drawn).toEqual(['a', 'b']);
});

test('a cancelled chart is not drawn, and an empty queue asks for no frame', () => {
  const { scheduler, make, drawn, frame, pending } = lab(1);
  const a = make('a');
  scheduler.request(a);
  scheduler.cancel(a);
  expect([pending(), scheduler.waiting()]).toEqual([false, 0]);
  frame();
  expect(drawn).toEqual([]);
});

test('asking again while drawing waits for the next frame', () => {
  const { scheduler, drawn, frame } = lab(0);
  const again: Drawable = {
    draw: () => {
      drawn.push('x');
      scheduler.request(again);
      return false;
    },
  };
  scheduler.request(again);
  expect([frame(), frame()]).toEqual([1, 1]);
});

test('a chart with more work to come has its frame to itself', () => {
  const { scheduler, make, frame } = lab(0.1);
  for (const name of ['a', 'heavy 1', 'b', 'heavy 2', 'c']) scheduler.request(make(name));
  expect([frame(), frame(), frame(), frame()]).toEqual([2, 2, 1, 0]);
});
