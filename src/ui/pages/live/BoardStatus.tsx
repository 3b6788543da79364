import { Button, Group } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconZoomIn } from '@tabler/icons-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';

import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import type { ChartGroup, GroupState } from '../../charts/group.ts';
import styles from './live.module.css';

export interface BoardStatusProps {
  group: ChartGroup;
  live: boolean;
  nowMs: () => number;
  originMs: number;
}

/** Whether the board moves with the run, stands still, or shows a part; and the word for it. */
export function viewWords(
  state: GroupState,
  live: boolean,
  time: (ms: number) => string,
): { word: 'following' | 'paused' | 'zoomed' | 'whole'; text: string } {
  if (state.zoom !== null)
    return {
      word: 'zoomed',
      text: `Zoomed: ${time(state.zoom[0])} to ${time(state.zoom[1])}${live ? ', not following' : ''}`,
    };
  if (!live) return { word: 'whole', text: 'Whole run' };
  return state.pausedAtMs === null
    ? { word: 'following', text: 'Following' }
    : { word: 'paused', text: `Paused at ${time(state.pausedAtMs)}` };
}

/** Follows again after a pause or zoom, or stops where the run is now. */
export function toggleFollow(group: ChartGroup, nowMs: number): void {
  const { zoom, pausedAtMs } = group.get();
  if (zoom !== null || pausedAtMs !== null) group.set({ zoom: null, pausedAtMs: null });
  else group.set({ pausedAtMs: nowMs });
}

/**
 * Says in words what the charts show now: following, paused, zoomed; and the time under the cursor.
 */
export function BoardStatus({ group, live, nowMs, originMs }: BoardStatusProps) {
  const state = useSyncExternalStore(group.subscribe, group.get);
  const cursor = useRef<HTMLSpanElement>(null);
  const time = (ms: number): string =>
    state.clock ? formatClock(ms + originMs) : formatElapsed(ms);
  useEffect(() => {
    const write = (): void => {
      if (cursor.current === null) return;
      const at = group.cursorMs();
      cursor.current.textContent = Number.isNaN(at)
        ? ''
        : `Cursor ${group.get().clock ? formatClock(at + originMs) : formatElapsed(at)}`;
    };
    write();
    return group.onCursor(write);
  }, [group, originMs]);
  const { word, text } = viewWords(state, live, time);
  const Icon =
    word === 'paused'
      ? IconPlayerPauseFilled
      : word === 'zoomed'
        ? IconZoomIn
        : IconPlayerPlayFilled;
  const following = word === 'following';
  return (
    <Group gap={8} wrap="nowrap">
      {(live || word === 'zoomed') && (
        <span role="status" aria-label="View" className={styles.view} data-view={word}>
          <Icon size={14} aria-hidden />
          {text}
        </span>
      )}
      {live && (
        <Button
          size="compact-sm"
          variant={following ? 'default' : 'filled'}
          onClick={() => {
            toggleFollow(group, nowMs() - originMs);
          }}
        >
          {following ? 'Pause' : 'Follow'}
        </Button>
      )}
      {!live && word === 'zoomed' && (
        <Button
          size="compact-sm"
          variant="filled"
          onClick={() => {
            group.set({ zoom: null });
          }}
        >
          Whole run
        </Button>
      )}
      <span ref={cursor} className={styles.cursorTime} aria-hidden="true" />
    </Group>
  );
}
