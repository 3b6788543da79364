import * as z from 'zod';

import { field } from '../base/field.ts';
import { checkDepth, parseJsonFile } from '../base/jsonFile.ts';
import { maximumTiles } from '../profile/profile.ts';
import { type Assignment, type Testbed, type Tile, tileSchema } from '../testbed/testbed.ts';
import { numbered, removeTiles } from './layoutEdit.ts';
import type { LayoutChange } from './layoutHistory.ts';

/** Copied tiles as data: what goes through the system's clipboard as JSON text. */
export const tileClipboard = z.object({
  tilebenchTiles: z.literal(1),
  profileId: field.id('profile'),
  /** Refs of VMs and places mean something only there. */ vcenterId: field
    .id('vcenter')
    .nullable(),
  tiles: z.array(tileSchema).min(1).max(maximumTiles),
});
export type TileClipboard = z.infer<typeof tileClipboard>;

/** Copies tiles, in the order of the board. null = none of them exists. */
export function copyTiles(testbed: Testbed, tiles: readonly number[]): TileClipboard | null {
  const copied = [...new Set(tiles)]
    .sort((a, b) => a - b)
    .flatMap((tile) => testbed.tiles[tile] ?? []);
  return copied.length === 0
    ? null
    : {
        tilebenchTiles: 1,
        profileId: testbed.profileId,
        vcenterId: testbed.vcenterId,
        tiles: copied,
      };
}

/** Copies and removes. */
export function cutTiles(
  testbed: Testbed,
  tiles: readonly number[],
): { clipboard: TileClipboard | null; change: LayoutChange } {
  const change = removeTiles(testbed, tiles);
  return {
    clipboard: copyTiles(testbed, tiles),
    change: { ...change, label: change.label.replace('Remove', 'Cut') },
  };
}

/**
 * Inserts copied tiles before position `at` (default: the end). A VM that a tile here has already
 * stays there: the copy is without one. Of tiles of another vCenter only clients and parameters
 * come along.
 */
export function pasteTiles(
  testbed: Testbed,
  { tiles, vcenterId }: TileClipboard,
  at = testbed.tiles.length,
): LayoutChange {
  const used = new Set(
    testbed.tiles.flatMap((tile) => tile.workloads.flatMap(({ vm }) => vm?.ref ?? [])),
  );
  const foreign = vcenterId !== testbed.vcenterId;
  const copy = (one: Assignment): Assignment => {
    const { planned: _, ...rest } = one;
    if (foreign) return { ...rest, vm: null };
    return one.vm && used.has(one.vm.ref) ? { ...one, vm: null } : one;
  };
  const label =
    `Paste ${tiles.length} ` +
    `${tiles.length === 1 ? 'tile' : 'tiles'}${foreign ? ' without VMs and places, which are of another vCenter' : ''}`;
  return {
    label,
    testbed: {
      ...testbed,
      tiles: numbered([
        ...testbed.tiles.slice(0, at),
        ...tiles.map((tile): Tile => ({ ...tile, workloads: tile.workloads.map(copy) })),
        ...testbed.tiles.slice(at),
      ]),
    },
  };
}

export const clipboardText = (clipboard: TileClipboard): string => JSON.stringify(clipboard);
/** Reads tiles from clipboard text. Throws invalidInput where it is something else. */
export function parseClipboard(text: string): TileClipboard {
  checkDepth('clipboard', text, 'tiles', 8_000_000);
  return parseJsonFile('clipboard', text, tileClipboard, 'tiles');
}
