import { layoutStage, type StageLayout } from '../../../core/chart/stage/layout.ts';
import type { StageScene } from '../../../core/chart/stage/scene.ts';
import { shortNames } from '../../../core/chart/stage/words.ts';
import type { Pen } from '../draw.ts';
import type { Drawable, DrawScheduler } from '../scheduler.ts';
import { drawBlocks, drawStage, type StagePicture } from './drawStage.ts';
import type { StagePlace } from './stageKeys.ts';
import { type Block, isMoving, placeBlocks } from './stageMotion.ts';
import type { StageTheme } from './stageTheme.ts';

/**
 * Draws a stage on two canvases, one over the other: racks and VMs that stand when something
 * changed, and VMs on their way alone in each frame.
 */
export interface StageController extends Drawable {
  readonly update: (scene: StageScene, tile: number | null) => void;
  readonly resize: (width: number, height: number, dpr: number) => void;
  readonly setTheme: (theme: StageTheme) => void;
  readonly setCurrent: (current: StagePlace | null) => void;
  /** What lies at a point of the canvas, CSS px; null = nothing. */
  readonly placeAt: (x: number, y: number) => StagePlace | null;
  readonly stop: () => void;
}

/** The two canvases; null = not there yet. */
export interface StagePens {
  standing: () => Pen | null;
  moving: () => Pen | null;
}

export interface StageClock {
  /** A clock that only goes forward. */
  wallMs: () => number;
  /** The person wants no motion. */
  still: () => boolean;
}

interface State {
  scene: StageScene | null;
  names: readonly string[];
  tile: number | null;
  layout: StageLayout | null;
  blocks: readonly Block[];
  /** Those that were on their way when the standing ones were drawn. */
  moving: readonly Block[];
  /** The standing ones must be drawn again. */
  changed: boolean;
  current: StagePlace | null;
  theme: StageTheme | null;
  size: { width: number; height: number; dpr: number };
}

export function createStageController(
  pens: StagePens,
  scheduler: DrawScheduler,
  clock: StageClock,
): StageController {
  const state: State = {
    scene: null,
    names: [],
    tile: null,
    layout: null,
    blocks: [],
    moving: [],
    changed: false,
    current: null,
    theme: null,
    size: { width: 0, height: 0, dpr: 1 },
  };
  const request = (): void => {
    state.changed = true;
    scheduler.request(controller);
  };
  const controller: StageController = {
    draw: () => {
      if (draw(state, pens, clock.wallMs())) scheduler.request(controller);
      return false;
    },
    update: (scene, tile) => {
      place(state, scene, clock);
      state.tile = tile;
      request();
    },
    resize: (width, height, dpr) => {
      const { size } = state;
      if (size.width === width && size.height === height && size.dpr === dpr) return;
      state.size = { width, height, dpr };
      state.layout = null;
      if (state.scene !== null) place(state, state.scene, clock);
      request();
    },
    setTheme: (theme) => {
      state.theme = theme;
      request();
    },
    setCurrent: (current) => {
      state.current = current;
      request();
    },
    placeAt: (x, y) => placeAt(state, x, y),
    stop: () => {
      scheduler.cancel(controller);
    },
  };
  return controller;
}

/** Gives every block its place; they slide where nothing but the VMs changed. */
function place(state: State, scene: StageScene, clock: StageClock): void {
  const { width, height } = state.size;
  const before = state.scene;
  state.scene = scene;
  state.names = shortNames(scene.hosts.map((host) => host.name));
  if (width < 2 || height < 2) return;
  const same =
    state.layout !== null &&
    before !== null &&
    before.hosts.length === scene.hosts.length &&
    before.capacity === scene.capacity;
  if (!same) state.layout = layoutStage(scene.hosts.length, scene.capacity, width, height);
  state.blocks = placeBlocks(
    scene,
    state.layout!,
    same && !clock.still() ? state.blocks : null,
    clock.wallMs(),
  );
}

/** Draws what is due. True: something is still on its way, and wants the next frame. */
function draw(state: State, pens: StagePens, nowMs: number): boolean {
  const { scene, layout, theme, size } = state;
  const [standing, moving] = [pens.standing(), pens.moving()];
  if (standing === null || moving === null || scene === null || layout === null || theme === null)
    return false;
  const picture: StagePicture = { ...state, scene, layout, theme };
  const clear = (pen: Pen): void => {
    pen.setTransform(size.dpr, 0, 0, size.dpr, 0, 0);
    pen.clearRect(0, 0, size.width, size.height);
  };
  const before = state.moving.length;
  if (state.changed) {
    state.changed = false;
    const isOnWay = (block: Block): boolean => isMoving(block, nowMs);
    state.moving = state.blocks.filter(isOnWay);
    clear(standing);
    drawStage(
      standing,
      picture,
      state.blocks.filter((block) => !isOnWay(block)),
    );
  }
  if (before > 0 || state.moving.length > 0) {
    clear(moving);
    drawBlocks(moving, picture, state.moving, nowMs);
  }
  // The last has arrived: in the next frame all of them stand.
  state.changed = state.moving.length > 0 && !state.moving.some((block) => isMoving(block, nowMs));
  return state.moving.length > 0;
}

function placeAt({ scene, layout, blocks }: State, x: number, y: number): StagePlace | null {
  if (scene === null || layout === null) return null;
  const side = layout.block;
  const hit = blocks.find((b) => x >= b.x && x < b.x + side && y >= b.y && y < b.y + side);
  if (hit !== undefined) return { host: hit.vm.host!, vm: hit.vm.ref };
  const host = layout.racks.findIndex(
    (rack) => x >= rack.x && x < rack.x + rack.width && y >= rack.y && y < rack.y + rack.height,
  );
  return host < 0 ? null : { host, vm: null };
}
