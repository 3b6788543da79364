import '@mantine/core/styles.css';
import 'uplot/dist/uPlot.min.css';

import { randomSource } from './feed.ts';
import { firstDrawOurs, mountOurs, mountShell, type Wall, type WallSize } from './ours.tsx';
import { firstDrawUplot, mountUplot } from './uplot.ts';

/** What the bench calls through the browser. */
export interface BenchPage {
  mount(kind: 'ours' | 'uplot', size: WallSize): Promise<void>;
  /** `updates` updates, one every `everyMs`; resolves with the frames missed meanwhile. */
  run(
    updates: number,
    everyMs: number,
  ): Promise<{ missed: number; frames: number; worstMs: number }>;
  /** Updates as fast as the main thread takes them, one a frame, no frame statistics. */
  rush(updates: number): Promise<void>;
  unmount(): Promise<void>;
  /** Milliseconds from the call until the frame with the line was handed over. */
  firstDraw(kind: 'ours' | 'uplot', points: number): Promise<number>;
}

const host = document.getElementById('root')!;
let wall: Wall | null = null;
const frame = (): Promise<number> =>
  new Promise((done) => {
    requestAnimationFrame(done);
  });
const task = (): Promise<void> =>
  new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      done();
    };
    channel.port2.postMessage(null);
  });
const settle = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await frame();
};

async function run(
  updates: number,
  everyMs: number,
): Promise<{ missed: number; frames: number; worstMs: number }> {
  let missed = 0,
    frames = 0,
    worstMs = 0,
    done = false;
  let last = await frame();
  const watch = (async () => {
    while (!done) {
      const at = await frame();
      const gap = at - last;
      missed += Math.max(0, Math.round(gap / 16.667) - 1);
      worstMs = Math.max(worstMs, gap);
      frames++;
      last = at;
    }
  })();
  await new Promise<void>((finish) => {
    let n = 0;
    const timer = setInterval(() => {
      wall?.update();
      if (++n >= updates) {
        clearInterval(timer);
        finish();
      }
    }, everyMs);
  });
  await settle();
  done = true;
  await watch;
  return { missed, frames, worstMs };
}

const page: BenchPage = {
  mount: async (kind, size) => {
    wall = (kind === 'ours' ? mountOurs : mountUplot)(host, size);
    await settle();
  },
  run,
  rush: async (updates) => {
    for (let i = 0; i < updates; i++) {
      wall?.update();
      if (i % 60 === 0) await frame();
    }
    await settle();
  },
  unmount: async () => {
    wall?.close();
    wall = null;
    host.replaceChildren();
    await settle();
  },
  firstDraw: async (kind, points) => {
    const random = randomSource(3);
    const tMs = Float64Array.from({ length: points }, (_, i) => 1_767_600_000_000 + i * 100);
    const value = Float64Array.from(
      { length: points },
      (_, i) => 500 + Math.sin(i / 900) * 200 + random() * 40,
    );
    await settle();
    const box = document.createElement('div');
    host.append(box);
    const shell = kind === 'ours' ? mountShell(box) : null;
    await settle();
    const from = performance.now();
    let plot: { destroy(): void } | null = null;
    if (shell === null) plot = firstDrawUplot(box, tMs, value);
    else firstDrawOurs(shell, tMs, value);
    await frame();
    await task();
    const took = performance.now() - from;
    shell?.unmount();
    plot?.destroy();
    box.remove();
    await settle();
    return took;
  },
};
Object.assign(window, { benchPage: page });
