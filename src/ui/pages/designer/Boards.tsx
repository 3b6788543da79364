import { Stack, Text } from '@mantine/core';

import { Board } from './Board.tsx';
import type { BoardColumn } from './BoardHead.tsx';
import { type BoardContext, chooseColumn } from './boardKeys.ts';
import type { Carried, Drag } from './drag.ts';
import { type Axis, densities } from './geometry.ts';
import { nameOfKeys } from './pickers.ts';
import { keysFor, pick } from './selection.ts';
import type { BoardKeys } from './useBoardKeys.ts';

interface Props {
  axes: readonly Axis[];
  board: BoardContext;
  keys: BoardKeys;
  columns: Readonly<Record<Axis, readonly BoardColumn[]>>;
  lit: ReadonlySet<string>;
  hidden: ReadonlySet<string>;
  /** What VMs stand out for; empty = all do. */ wanted: string;
  clientNames: ReadonlyMap<string, string>;
  drag: Drag;
  reveal: number;
}

/** The board of hosts, the board of LUNs, or both, one below the other. */
export function Boards({ axes, board, keys, columns, ...shown }: Props) {
  const { view, rows, selection, zoom, choose, open } = board;
  if (view.tiles.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There is no tile yet: Generate lays out as many as wanted.
      </Text>
    );
  return (
    <Stack gap={8}>
      {axes.map((axis) => (
        <Board
          key={axis}
          {...shown}
          axis={axis}
          view={view}
          rows={rows}
          columns={columns[axis]}
          density={densities[zoom]!}
          selection={selection}
          heightCss={axes.length > 1 ? 'max(260px, 34vh)' : 'max(300px, calc(100dvh - 344px))'}
          onPick={(key, how) => choose(pick(view, rows, selection, key, how), false)}
          onKey={keys.key}
          onKeyUp={keys.keyUp}
          onClipboard={keys.clipboard}
          onOpen={() => open('move', axis)}
          onDragStart={(key) => carriedFrom(board, key)}
          onPickColumn={(onAxis, ref) => chooseColumn(board, onAxis, ref)}
        />
      ))}
    </Stack>
  );
}

/** What a drag from a key takes along: all that is chosen if the key is, else what it stands for. */
function carriedFrom(
  { view, selection, targets, edits, commands, choose }: BoardContext,
  key: string,
): Carried {
  const own = keysFor(view, key);
  const keys = own.every((one) => selection.chosen.has(one)) ? targets : own;
  if (keys !== targets) choose({ chosen: new Set(keys), active: key, anchor: key }, false);
  return {
    label: nameOfKeys(view, keys),
    drop: (place) => commands.place(keys, place.axis, place.ref),
    cancelled: () => edits.say('Nothing was moved.'),
  };
}
