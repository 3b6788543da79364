import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRotate } from '@tabler/icons-react';
import { useEffect } from 'react';

import { formatElapsed } from '../../../core/base/format.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { phaseWords } from '../../../core/run/runWords.ts';
import { phaseAt } from '../../../core/run/windows.ts';
import styles from './replay.module.css';
import { type ReplayClock, seekByKey, speedOf, speeds } from './replayClock.ts';
import { useReplayPosition } from './useReplayPosition.ts';

interface Props {
  clock: ReplayClock;
  /** The stored overview: phases and marks of the whole run. */ stored: RunOverview;
}

const share = (fromMs: number, toMs: number, atMs: number): string =>
  `${((atMs - fromMs) / Math.max(1, toMs - fromMs)) * 100}%`;
const speedChoices = speeds.map((s) => ({ value: String(s), label: `${s}×` }));
/** What takes the space bar or letters for itself. */
const keepsKeys =
  'button, a, select, textarea, input:not([type="range"]), [role="slider"], [role="dialog"], ' +
  '[role="menu"], [role="tab"], [role="radio"]';

/**
 * Play and pause, position, speed. Space and plus, minus work on the whole page; arrows, Page, Home
 * and End on the position.
 */
export function Transport({ clock, stored }: Props) {
  const atMs = useReplayPosition(clock);
  const { span, speed, playing } = clock.state();
  const { startMs, endMs } = span;
  const ended = atMs >= endMs;
  usePlayKeys(clock);
  const phase = phaseAt(stored, atMs);
  const time = `${formatElapsed(atMs - startMs)} of ${formatElapsed(endMs - startMs)}`;
  const [Icon, word] = ended
    ? ([IconRotate, 'Play again'] as const)
    : playing
      ? ([IconPlayerPause, 'Pause'] as const)
      : ([IconPlayerPlay, 'Play'] as const);
  return (
    <Group gap="sm" wrap="nowrap" role="group" aria-label="Replay" className={styles.transport}>
      <Button
        size="xs"
        w={112}
        leftSection={<Icon size={14} aria-hidden />}
        title="Space"
        onClick={() => {
          clock.dispatch({ do: 'toggle' });
        }}
      >
        {word}
      </Button>
      <div className={styles.track}>
        <Bands stored={stored} startMs={startMs} endMs={endMs} />
        <input
          type="range"
          className={styles.slider}
          aria-label="Position"
          min={0}
          max={Math.round((endMs - startMs) / 1_000)}
          step={1}
          value={Math.round((atMs - startMs) / 1_000)}
          aria-valuetext={`${time}${phase === undefined ? '' : `, ${phaseWords[phase.name]}`}`}
          onChange={(e) => {
            clock.dispatch({ do: 'seek', toMs: startMs + Number(e.currentTarget.value) * 1_000 });
          }}
          onKeyDown={(e) => {
            const toMs = seekByKey(e.key, e.shiftKey, clock.now(), span);
            if (toMs === null) return;
            e.preventDefault();
            clock.dispatch({ do: 'seek', toMs });
          }}
        />
      </div>
      <Text size="sm" className={styles.time}>
        {time}
      </Text>
      <NativeSelect
        size="xs"
        w={84}
        aria-label="Speed"
        title="+ and −"
        data={speedChoices}
        value={String(speed)}
        onChange={(e) => {
          clock.dispatch({ do: 'speed', speed: speedOf(Number(e.currentTarget.value)) });
        }}
      />
    </Group>
  );
}

/** Space plays and pauses, plus and minus change the speed, wherever the focus is on the page. */
function usePlayKeys(clock: ReplayClock): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        (event.target instanceof Element && event.target.closest(keepsKeys) !== null)
      )
        return;
      if (event.key === ' ') clock.dispatch({ do: 'toggle' });
      else if (event.key === '+') clock.dispatch({ do: 'faster' });
      else if (event.key === '-') clock.dispatch({ do: 'slower' });
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [clock]);
}

/** Phases of the run and marks of what happened, under the position. */
function Bands({
  stored,
  startMs,
  endMs,
}: {
  stored: RunOverview;
  startMs: number;
  endMs: number;
}) {
  return (
    <div className={styles.bands} aria-hidden="true">
      {stored.phases
        .filter((p) => p.startMs < endMs)
        .map((p) => {
          const toMs = Math.min(endMs, p.endMs ?? p.plannedEndMs);
          return (
            <span
              key={p.name}
              className={styles.band}
              data-phase={p.name}
              style={{
                left: share(startMs, endMs, p.startMs),
                width: share(startMs, endMs, startMs + toMs - p.startMs),
              }}
            >
              {(toMs - p.startMs) / (endMs - startMs) > 0.08 ? phaseWords[p.name] : ''}
            </span>
          );
        })}
      {stored.events
        .filter((e) => e.kind !== 'state' && e.tMs >= startMs && e.tMs <= endMs)
        .map((e) => (
          <i
            key={e.id}
            className={styles.mark}
            data-kind={e.kind}
            style={{ left: share(startMs, endMs, e.tMs) }}
          />
        ))}
    </div>
  );
}
