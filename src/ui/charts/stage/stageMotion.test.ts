/** @jest-environment jsdom */
import { blockAt, layoutStage } from '../../../core/chart/stage/layout.ts';
import type { StageScene, StageVm } from '../../../core/chart/stage/scene.ts';
import { noFigure } from '../../../core/chart/stage/scene.ts';
import { createScheduler } from '../scheduler.ts';
import { recordingPen } from '../testing/lab.ts';
import { createStageController } from './stageController.ts';
import { isMoving, placeBlocks, progress, slideMs, xNow } from './stageMotion.ts';
import { readStageTheme } from './stageTheme.ts';

const vm = (ref: string, host: number | null, slot: number): StageVm => ({
  ref,
  name: ref,
  tile: 0,
  role: 0,
  state: 'load',
  host,
  slot,
});
const scene = (vms: readonly StageVm[]): StageScene => ({
  hosts: ['esx1', 'esx2'].map((name) => ({
    ref: name,
    name,
    vms: 0,
    cpuPct: { value: 50, staleMs: 0 },
    watts: noFigure,
  })),
  vms,
  roles: [{ id: 'db', name: 'Database', letter: 'D', ordinal: 0 }],
  capacity: 4,
  placed: true,
  power: { watts: null, known: 0, meters: 0 },
});
const layout = layoutStage(2, 4, 600, 240);

test('a VM that is moved slides from where it is drawn; one that comes rises; the rest stand', () => {
  const before = placeBlocks(scene([vm('a', 0, 0), vm('b', 0, 1)]), layout, null, 0);
  expect(before.every((block) => !isMoving(block, 0))).toBe(true);
  const after = placeBlocks(
    scene([vm('a', 1, 0), vm('b', 0, 1), vm('c', 1, 1)]),
    layout,
    before,
    1_000,
  );
  const [a, b, c] = after;
  expect([a, b, c].map((block) => isMoving(block!, 1_010))).toEqual([true, false, true]);
  expect(xNow(a!, progress(a!.sinceMs, 1_000))).toBe(blockAt(layout, 0, 0).x);
  expect(xNow(a!, progress(a!.sinceMs, 1_000 + slideMs))).toBe(blockAt(layout, 1, 0).x);
  expect(c!.comes).toBe(true);
  // Moved on while it slides: it turns where it is, it does not jump.
  const half = xNow(a!, progress(a!.sinceMs, 1_060));
  const back = placeBlocks(scene([vm('a', 0, 0)]), layout, after, 1_060);
  expect(xNow(back[0]!, progress(back[0]!.sinceMs, 1_060))).toBe(half);
});

describe('the controller', () => {
  const open = (still = false) => {
    const frames: (() => void)[] = [];
    const clock = { ms: 0 };
    const recording = recordingPen();
    const controller = createStageController(
      { standing: () => recording.pen, moving: () => recording.pen },
      createScheduler({
        request: (callback) => frames.push(callback),
        cancel: () => undefined,
        nowMs: () => clock.ms,
      }),
      { wallMs: () => clock.ms, still: () => still },
    );
    controller.setTheme(readStageTheme(document.body));
    controller.resize(600, 240, 2);
    const run = (): number => {
      let drawn = 0;
      for (let next = frames.shift(); next !== undefined; next = frames.shift()) {
        next();
        drawn += 1;
        clock.ms += 50;
      }
      return drawn;
    };
    return { controller, recording, run };
  };

  test('draws frames for as long as something slides, and none at rest', () => {
    const { controller, run, recording } = open();
    controller.update(scene([vm('a', 0, 0)]), null);
    expect(run()).toBe(1);
    controller.update(scene([vm('a', 1, 0)]), null);
    expect(run()).toBe(5);
    expect(recording.texts()).toEqual(expect.arrayContaining(['esx1', '50 % CPU', '– W', 'D']));
    expect(run()).toBe(0);
  });

  test('where no motion is wanted a VM is at its new place at once', () => {
    const { controller, run } = open(true);
    controller.update(scene([vm('a', 0, 0)]), null);
    run();
    controller.update(scene([vm('a', 1, 0)]), null);
    expect(run()).toBe(1);
  });

  test('a point leads to the VM, else to the host', () => {
    const { controller } = open();
    controller.update(scene([vm('a', 1, 2)]), null);
    const { x, y } = blockAt(layout, 1, 2);
    expect(controller.placeAt(x + 2, y + 2)).toEqual({ host: 1, vm: 'a' });
    expect(controller.placeAt(20, 100)).toEqual({ host: 0, vm: null });
    expect(controller.placeAt(-5, 0)).toBeNull();
  });
});
