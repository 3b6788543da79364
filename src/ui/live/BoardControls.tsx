import { Button, Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import type { ChartGroup } from '../charts/group.ts';
import { maxColoredSeries } from '../charts/palette.ts';
import { boardGroups, groupTitles, type BoardGroup } from './boardModel.ts';

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
  onAddNote?: ((atMs: number | null) => void) | undefined;
}

const windows = [{ value: '300000', label: '5 min' }, { value: '1800000', label: '30 min' }, { value: 'all', label: 'All' }];

/** What the board shows: charts, window, follow or paused, elapsed or clock, highlighted tile; and the way to a note. */
export function BoardControls({ group, live, nowMs, originMs, available, shown, onShow, tiles, worstTile, onAddNote }: BoardControlsProps) {
  const state = useSyncExternalStore(group.subscribe, group.get);
  return (
    <Group gap="sm" wrap="wrap" role="toolbar" aria-label="Board">
      <SegmentedControl size="xs" aria-label="Charts" value={shown} onChange={(value) => { onShow(boardGroups.find((g) => g === value) ?? 'all'); }}
        data={[{ value: 'all', label: 'All' }, ...boardGroups.filter((g) => available.includes(g)).map((g) => ({ value: g, label: groupTitles[g] }))]} />
      <SegmentedControl size="xs" aria-label="Window" value={state.windowMs === null ? 'all' : String(state.windowMs)} data={windows}
        onChange={(value) => { group.set({ windowMs: value === 'all' ? null : Number(value), zoom: null }); }} />
      <SegmentedControl size="xs" aria-label="Time axis" value={state.clock ? 'clock' : 'elapsed'} data={[{ value: 'elapsed', label: 'Elapsed' }, { value: 'clock', label: 'Clock' }]}
        onChange={(value) => { group.set({ clock: value === 'clock' }); }} />
      {tiles.length > 1 && (
        <NativeSelect size="xs" aria-label="Highlighted tile" value={state.highlight ?? ''} onChange={(e) => { group.set({ highlight: e.currentTarget.value === '' ? null : e.currentTarget.value }); }}
          data={[{ value: '', label: tiles.length <= maxColoredSeries || worstTile === null ? 'No highlight' : `Worst tile (${worstTile + 1})` }, ...tiles.map((t) => ({ value: `tile:${t}`, label: `Tile ${t + 1}` }))]} />
      )}
      {live && (
        <SegmentedControl size="xs" aria-label="Follow" value={state.pausedAtMs === null ? 'following' : 'paused'} data={[{ value: 'following', label: 'Following' }, { value: 'paused', label: 'Paused' }]}
          onChange={(value) => { group.set({ pausedAtMs: value === 'paused' ? nowMs() - originMs : null }); }} />
      )}
      {onAddNote !== undefined && <Button size="xs" variant="default" onClick={() => { const at = group.cursorMs(); onAddNote(Number.isNaN(at) ? null : at + originMs); }}>Add note</Button>}
    </Group>
  );
}
