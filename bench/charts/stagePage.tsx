import { layoutStage } from '../../src/core/chart/stage/layout.ts';
import type { StageScene, StageVm } from '../../src/core/chart/stage/scene.ts';
import { createScheduler } from '../../src/ui/charts/scheduler.ts';
import { createStageController } from '../../src/ui/charts/stage/stageController.ts';
import { readStageTheme, roleColor } from '../../src/ui/charts/stage/stageTheme.ts';
import { randomSource } from './feed.ts';

/** What the bench calls through the browser. */
export interface StagePage {
  /** Frames until `seconds` have passed, each drawn whole; every one of them has VMs that slide. */
  run(kind: 'ours' | 'bare', seconds: number): Promise<StageRun>;
}
export interface StageRun {
  frames: number;
  seconds: number;
  /** Of the main thread, spent drawing. */
  drawMs: number;
}

const hosts = 64;
const vms = 1_200;
const width = 1_760;
const height = 620;
const workloads = ['mail', 'java', 'web', 'database', 'file', 'standby'];

/** VMs that are moved with each scene, and how often one comes: somebody is always on the way. */
const moved = 24;
const sceneEveryMs = 100;

function createScenes(): () => StageScene {
  const random = randomSource(11);
  const perHost = Math.ceil(vms / hosts) + 6;
  const taken = Array.from({ length: hosts }, () => new Set<number>());
  const free = (host: number): number => {
    let slot = 0;
    while (taken[host]!.has(slot)) slot += 1;
    taken[host]!.add(slot);
    return slot;
  };
  let list = Array.from({ length: vms }, (_, at): StageVm => ({
    ref: `vm-${at}`,
    name: `vm${at}`,
    tile: Math.floor(at / workloads.length),
    role: at % workloads.length,
    state: at % 17 === 0 ? 'idle' : 'load',
    host: at % hosts,
    slot: free(at % hosts),
  }));
  const roles = workloads.map((id, ordinal) => ({
    id,
    name: id,
    letter: id.slice(0, 1).toUpperCase(),
    ordinal,
  }));
  return () => {
    const chosen = new Set(Array.from({ length: moved }, () => Math.floor(random() * vms)));
    list = list.map((vm, at) => {
      const host = Math.floor(random() * hosts);
      if (!chosen.has(at) || taken[host]!.size >= perHost) return vm;
      taken[vm.host!]!.delete(vm.slot);
      return { ...vm, host, slot: free(host) };
    });
    return {
      hosts: Array.from({ length: hosts }, (_, at) => ({
        ref: `h${at}`,
        name: `esx${at + 1}.lab.example`,
        vms: taken[at]!.size,
        cpuPct: { value: 40 + random() * 60, staleMs: 0 },
        watts: { value: 300 + random() * 200, staleMs: at % 9 === 0 ? 60_000 : 0 },
      })),
      vms: list,
      roles,
      capacity: perHost,
      placed: true,
      power: { watts: 24_000, known: hosts, meters: hosts },
    };
  };
}

const [context, over] = Array.from({ length: 2 }, (): CanvasRenderingContext2D => {
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.style.cssText = `position: absolute; left: 0; top: 0; width: ${width}px; height: ${height}px`;
  document.getElementById('root')!.append(canvas);
  return canvas.getContext('2d')!;
}) as [CanvasRenderingContext2D, CanvasRenderingContext2D];

/** The stage as the application draws it, at two pixels a CSS pixel. */
function createOurs(): (atMs: number) => void {
  const next = createScenes();
  let draw: (() => void) | null = null;
  const controller = createStageController(
    { standing: () => context, moving: () => over },
    createScheduler({
      request: (callback) => {
        draw = callback;
        return 0;
      },
      cancel: () => undefined,
      nowMs: () => performance.now(),
    }),
    { wallMs: () => performance.now(), still: () => false },
  );
  controller.setTheme(readStageTheme(context.canvas));
  controller.resize(width, height, 2);
  let dueMs = 0;
  return (atMs) => {
    if (atMs >= dueMs) {
      dueMs = atMs + sceneEveryMs;
      controller.update(next(), null);
    }
    const now = draw;
    draw = null;
    now?.();
  };
}

/** The anchor: as many rectangles and texts on the same canvas, and nothing else. */
function createBare(): () => void {
  const layout = layoutStage(hosts, 25, width, height);
  return () => {
    context.setTransform(2, 0, 0, 2, 0, 0);
    context.clearRect(0, 0, width, height);
    for (let role = 0; role < workloads.length; role++) {
      context.fillStyle = roleColor(role);
      for (let at = role; at < vms; at += workloads.length)
        context.fillRect((at % 64) * 27, Math.floor(at / 64) * 30, layout.block, layout.block);
    }
    context.font = '12px sans-serif';
    context.fillStyle = 'black';
    for (let at = 0; at < hosts * 4; at++)
      context.fillText('esx1 62 %', (at % 32) * 54, 12 + Math.floor(at / 32) * 60);
    context.font = '600 9px sans-serif';
    if (layout.block >= 12)
      for (let at = 0; at < vms; at++)
        context.fillText('D', (at % 64) * 27 + 6, Math.floor(at / 64) * 30 + 6);
  };
}

const page: StagePage = {
  run: async (kind, seconds) => {
    const draw = kind === 'ours' ? createOurs() : createBare();
    const startMs = performance.now();
    let frames = 0;
    let drawMs = 0;
    for (let atMs = startMs; atMs - startMs < seconds * 1_000;) {
      atMs = await new Promise<number>((done) => {
        requestAnimationFrame(() => {
          done(performance.now());
        });
      });
      draw(atMs);
      drawMs += performance.now() - atMs;
      frames += 1;
    }
    return { frames, seconds: (performance.now() - startMs) / 1_000, drawMs };
  },
};
Object.assign(window, { stagePage: page });
