/** A timer of the virtual clock. `order` breaks ties: first come, first served. */
export interface Timer {
  dueMs: number;
  order: number;
  wake: () => void;
  live: boolean;
}

/**
 * A binary heap by due time, then order. Cancelled timers stay until they come to the top, or are
 * half of all.
 */
export interface TimerHeap {
  push(timer: Timer): void;
  /** The next live timer, left in place. */ peek(): Timer | undefined;
  pop(): Timer | undefined;
  cancel(timer: Timer): void;
  /** Live timers. */ readonly size: number;
}

const before = (a: Timer, b: Timer): boolean =>
  a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);

export function createTimerHeap(): TimerHeap {
  let heap: Timer[] = [];
  let live = 0;

  const up = (from: number): void => {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(heap[at]!, heap[parent]!)) return;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  };
  const down = (from: number): void => {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const child =
        left + 1 < heap.length && before(heap[left + 1]!, heap[left]!) ? left + 1 : left;
      if (!before(heap[child]!, heap[at]!)) return;
      [heap[at], heap[child]] = [heap[child]!, heap[at]!];
      at = child;
    }
  };
  const take = (): Timer | undefined => {
    const top = heap[0];
    const last = heap.pop();
    if (heap.length > 0 && last) {
      heap[0] = last;
      down(0);
    }
    return top;
  };
  const clean = (): void => {
    while (heap.length > 0 && !heap[0]!.live) take();
  };

  return {
    push(timer) {
      heap.push(timer);
      live += 1;
      up(heap.length - 1);
    },
    peek() {
      clean();
      return heap[0];
    },
    pop() {
      clean();
      const top = take();
      if (top) {
        top.live = false;
        live -= 1;
      }
      return top;
    },
    cancel(timer) {
      if (!timer.live) return;
      timer.live = false;
      live -= 1;
      if (heap.length < 64 || live * 2 > heap.length) return;
      heap = heap.filter((one) => one.live);
      for (let at = (heap.length >> 1) - 1; at >= 0; at -= 1) down(at);
    },
    get size() {
      return live;
    },
  };
}
