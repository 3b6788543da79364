import { counted } from '../../../core/base/counted.ts';
import { toAppError } from '../../../core/base/errors.ts';
import {
  clipboardText,
  copyTiles,
  cutTiles,
  parseClipboard,
  pasteTiles,
} from '../../../core/layout/layoutClipboard.ts';
import {
  addTiles,
  assignVm,
  duplicateTiles,
  moveToDatastore,
  moveToHost,
  removeTiles,
  reorderTiles,
  setClient,
} from '../../../core/layout/layoutEdit.ts';
import type { LayoutView, SlotKey } from '../../../core/testbed/layoutModel.ts';
import type { Axis } from './geometry.ts';
import { named, nameOfKeys } from './pickers.ts';
import { tileOf, tilesOf } from './selection.ts';
import type { Edits } from './useEdits.ts';

/** What was copied last in this window: where the system's clipboard cannot be read. */
let held = '';

export interface Commands {
  place: (keys: readonly SlotKey[], axis: Axis, ref: string) => void;
  client: (keys: readonly SlotKey[], clientId: string) => void;
  vm: (key: SlotKey, ref: string) => void;
  remove: (keys: readonly SlotKey[]) => void;
  duplicate: (keys: readonly SlotKey[]) => void;
  /** Moves tiles up (−1) or down (1); gives the tile that leads them now, or null. */
  shift: (keys: readonly SlotKey[], by: -1 | 1) => number | null;
  add: () => void;
  /** The text for a clipboard, or null where nothing is chosen. */
  copy: (keys: readonly SlotKey[], cut: boolean) => string | null;
  /** Pastes after these tiles, else at the end; without text what was copied here last. */
  paste: (text: string | null, after: readonly SlotKey[]) => void;
}

/**
 * Every edit of the board as a function of what is chosen; each says in words what it did or why it
 * did nothing.
 */
export function boardCommands(
  edits: Edits,
  view: LayoutView,
  clientIds: readonly string[],
): Commands {
  const { testbed } = edits;
  const whole = (keys: readonly SlotKey[]): number[] => tilesOf(keys);
  return {
    place(keys, axis, ref) {
      if (keys.length === 0) return;
      const one =
        ref === '' ? null : axis === 'host' ? named(view.hosts, ref) : named(view.datastores, ref);
      edits.apply(
        axis === 'host' ? moveToHost(testbed, keys, one) : moveToDatastore(testbed, keys, one),
      );
    },
    client(keys, clientId) {
      const client = view.clients.find(({ id }) => id === clientId);
      if (client) edits.apply(setClient(testbed, keys, client));
    },
    vm: (key, ref) =>
      edits.apply(
        assignVm(testbed, key, ref === '' ? null : named(view.inventory?.vms ?? [], ref)),
      ),
    remove: (keys) => edits.apply(removeTiles(testbed, whole(keys))),
    duplicate: (keys) => edits.apply(duplicateTiles(testbed, whole(keys))),
    shift(keys, by) {
      const tiles = whole(keys);
      if (tiles.length === 0) return null;
      const first = tiles[0]!,
        last = tiles.at(-1)!;
      if (by < 0 ? first === 0 : last === testbed.tiles.length - 1) {
        edits.say(by < 0 ? 'The first tile stands first.' : 'The last tile stands last.');
        return null;
      }
      edits.apply(reorderTiles(testbed, tiles, by < 0 ? first - 1 : last + 2));
      return by < 0 ? first - 1 : last + 1 - (tiles.length - 1);
    },
    add: () => edits.apply(addTiles(testbed, view.profile, 1, clientIds)),
    copy(keys, cut) {
      const tiles = whole(keys);
      const clipboard = copyTiles(testbed, tiles);
      if (!clipboard) {
        edits.say('Nothing is chosen to copy.');
        return null;
      }
      held = clipboardText(clipboard);
      if (cut) edits.apply(cutTiles(testbed, tiles).change);
      else
        edits.say(
          `${counted(clipboard.tiles.length, 'tile')} ` +
            `copied${keys.length < tiles.reduce((sum, tile) => sum + (view.tiles[tile]?.vms.length ?? 0), 0) ? `: ${nameOfKeys(view, keys)} as whole ${tiles.length === 1 ? 'tile' : 'tiles'}` : ''}.`,
        );
      return held;
    },
    paste(text, after) {
      const from = text === null || text.trim() === '' ? held : text;
      if (from === '') {
        edits.say('Nothing was copied.');
        return;
      }
      try {
        const clipboard = parseClipboard(from);
        if (clipboard.profileId !== testbed.profileId) {
          edits.say('The copied tiles are of another profile: their workloads are not these.');
          return;
        }
        const last = after.length === 0 ? testbed.tiles.length - 1 : Math.max(...after.map(tileOf));
        edits.apply(pasteTiles(testbed, clipboard, last + 1));
      } catch (error) {
        edits.say(`The clipboard holds no tiles. ${toAppError(error).message}`);
      }
    },
  };
}
