import { blockAt, type StageLayout } from '../../../core/chart/stage/layout.ts';
import type { StageScene, StageVm } from '../../../core/chart/stage/scene.ts';

/** How long a block slides, or comes up where it is new. */
export const slideMs = 150;

/** A VM on its way to its place, or there. */
export interface Block {
  vm: StageVm;
  x: number;
  y: number;
  fromX: number;
  fromY: number;
  /** When the motion began; -Infinity = none. */
  sinceMs: number;
  /** It was not there before. */
  comes: boolean;
}

/** How far a motion is, 0 to 1, slowing down to its end. */
export function progress(sinceMs: number, nowMs: number): number {
  const share = Math.min(1, Math.max(0, (nowMs - sinceMs) / slideMs));
  return 1 - (1 - share) ** 3;
}

/** Where a block is now. */
export const xNow = (block: Block, share: number): number =>
  block.fromX + (block.x - block.fromX) * share;
export const yNow = (block: Block, share: number): number =>
  block.fromY + (block.y - block.fromY) * share;

/**
 * Blocks of a scene, those of one role together. A VM whose place changed slides from where it is
 * drawn; a new one comes up. `before` null: everything stands at once, as on a first picture, after
 * a change of size, and where no motion is wanted.
 */
export function placeBlocks(
  scene: StageScene,
  layout: StageLayout,
  before: readonly Block[] | null,
  nowMs: number,
): Block[] {
  const old = new Map((before ?? []).map((block) => [block.vm.ref, block]));
  return scene.vms
    .flatMap((vm): Block[] => {
      if (vm.host === null) return [];
      const { x, y } = blockAt(layout, vm.host, vm.slot);
      const was = old.get(vm.ref);
      const still = { vm, x, y, fromX: x, fromY: y, sinceMs: -Infinity, comes: false };
      if (before === null) return [still];
      if (was === undefined) return [{ ...still, sinceMs: nowMs, comes: true }];
      if (was.x === x && was.y === y)
        return [
          { ...still, fromX: was.fromX, fromY: was.fromY, sinceMs: was.sinceMs, comes: was.comes },
        ];
      const share = progress(was.sinceMs, nowMs);
      return [{ ...still, fromX: xNow(was, share), fromY: yNow(was, share), sinceMs: nowMs }];
    })
    .sort((a, b) => a.vm.role - b.vm.role);
}

export const isMoving = (block: Block, nowMs: number): boolean => nowMs - block.sinceMs < slideMs;
