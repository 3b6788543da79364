/** Something that redraws itself when asked. */
export interface Drawable {
  /** True: more work follows in this frame (React draws new axes); no other chart joins it. */ draw: () => boolean;
}

export interface DrawScheduler {
  /** Draws it in one of the next frames; asking again before that changes nothing. */
  request(target: Drawable): void;
  cancel(target: Drawable): void;
  /** Drawables waiting. */
  waiting(): number;
}

export interface Frames {
  request(callback: () => void): number;
  cancel(id: number): void;
  nowMs(): number;
}

/** Time a frame may spend on charts; the rest of 16.7 ms is for layout, input and paint. */
const budgetMs = 6;

/**
 * One for all charts: each frame takes charts from the head of the queue until the budget is spent,
 * at least one. So twenty charts that get data at once are spread over some frames and none is
 * starved.
 */
export function createScheduler(frames: Frames): DrawScheduler {
  const queue = new Set<Drawable>();
  let scheduled: number | null = null;
  const run = (): void => {
    scheduled = null;
    const endMs = frames.nowMs() + budgetMs;
    // A drawable that asks again while it draws belongs to the next frame.
    const batch = [...queue];
    for (const target of batch) {
      if (!queue.delete(target)) continue;
      if (target.draw() || frames.nowMs() >= endMs) break;
    }
    if (queue.size > 0) arm();
  };
  const arm = (): void => {
    scheduled ??= frames.request(run);
  };
  return {
    request: (target) => {
      queue.add(target);
      arm();
    },
    cancel: (target) => {
      queue.delete(target);
      if (queue.size === 0 && scheduled !== null) {
        frames.cancel(scheduled);
        scheduled = null;
      }
    },
    waiting: () => queue.size,
  };
}

let shared: DrawScheduler | null = null;
/** The window's scheduler. */
export function windowScheduler(): DrawScheduler {
  shared ??= createScheduler({
    request: (callback) => window.requestAnimationFrame(callback),
    cancel: (id) => window.cancelAnimationFrame(id),
    nowMs: () => performance.now(),
  });
  return shared;
}
