import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { type RefObject, useSyncExternalStore } from 'react';

import { type BoardGroup, boardGroups, groupTitles } from '../../../core/chart/boardCharts.ts';
import { maxColoredSeries } from '../../../core/chart/palette.ts';
import type { ChartGroup } from '../../charts/group.ts';
import { BoardSearch } from './BoardSearch.tsx';
import { BoardStatus } from './BoardStatus.tsx';
import type { BoardTarget } from './boardTargets.ts';
import styles from './live.module.css';

export type Shown = BoardGroup | 'all';
export interface BoardControlsProps {
  group: ChartGroup;
  live: boolean;
  nowMs: () => number;
  originMs: number;
  available: readonly BoardGroup[];
  shown: Shown;
  onShow: (shown: Shown) => void;
  tiles: readonly number[];
  worstTile: number | null;
  targets: readonly BoardTarget[];
  onOpen: (key: string) => void;
  search: RefObject<HTMLInputElement | null>;
  onAddNote?: ((atMs: number | null) => void) | undefined;
}

const windows = [
  { value: '300000', label: '5 min' },
  { value: '1800000', label: '30 min' },
  { value: 'all', label: 'All' },
];

/**
 * What the board shows: search, charts, window, elapsed or clock, highlighted tile, follow or
 * paused; and the way to a note. Stays in sight.
 */
export function BoardControls({
  group,
  live,
  nowMs,
  originMs,
  available,
  shown,
  onShow,
  tiles,
  worstTile,
  targets,
  onOpen,
  search,
  onAddNote,
}: BoardControlsProps) {
  const state = useSyncExternalStore(group.subscribe, group.get);
  return (
    <div className={styles.controls} role="toolbar" aria-label="Board">
      <BoardSearch targets={targets} onOpen={onOpen} field={search} />
      <NativeSelect
        size="xs"
        aria-label="Charts"
        value={shown}
        onChange={(event) => {
          onShow(boardGroups.find((g) => g === event.currentTarget.value) ?? 'all');
        }}
        data={[
          { value: 'all', label: 'All charts' },
          ...boardGroups
            .filter((g) => available.includes(g))
            .map((g) => ({ value: g, label: groupTitles[g] })),
        ]}
      />
      <SegmentedControl
        size="xs"
        transitionDuration={0}
        aria-label="Window"
        value={state.windowMs === null ? 'all' : String(state.windowMs)}
        data={windows}
        onChange={(value) => {
          group.set({ windowMs: value === 'all' ? null : Number(value), zoom: null });
        }}
      />
      <SegmentedControl
        size="xs"
        transitionDuration={0}
        aria-label="Time axis"
        value={state.clock ? 'clock' : 'elapsed'}
        data={[
          { value: 'elapsed', label: 'Elapsed' },
          { value: 'clock', label: 'Clock' },
        ]}
        onChange={(value) => {
          group.set({ clock: value === 'clock' });
        }}
      />
      {tiles.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label="Highlighted tile"
          value={state.highlight ?? ''}
          onChange={(e) => {
            group.set({ highlight: e.currentTarget.value === '' ? null : e.currentTarget.value });
          }}
          data={[
            {
              value: '',
              label:
                tiles.length <= maxColoredSeries || worstTile === null
                  ? 'No highlight'
                  : `Worst tile (${worstTile + 1})`,
            },
            ...tiles.map((t) => ({ value: `tile:${t}`, label: `Tile ${t + 1}` })),
          ]}
        />
      )}
      <BoardStatus group={group} live={live} nowMs={nowMs} originMs={originMs} />
      {onAddNote !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          ml="auto"
          onClick={() => {
            const at = group.cursorMs();
            onAddNote(Number.isNaN(at) ? null : at + originMs);
          }}
        >
          Add note
        </Button>
      )}
    </div>
  );
}
