import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';

import { formatClock } from '../../../core/base/format.ts';
import { type LabClock, speeds, speedText, useLabNow } from '../../engine/labClock.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';

const asFast = 'max';

/** Simulated time, its speed, and pause: the same control in the top bar and on the lab's page. */
export function PaceControl({ clock: { status, setPaused, setSpeed } }: { clock: LabClock }) {
  const nowMs = useLabNow(status);
  if (status === undefined || nowMs === null) return null;
  const listed = speeds.includes(status.speed) ? speeds : [...speeds, status.speed];
  return (
    <Group gap={6} wrap="nowrap" role="group" aria-label="Simulated time">
      <Text
        span
        size="xs"
        title={formatDateTime(nowMs)}
        style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
      >{`Lab time ${formatClock(nowMs)}`}</Text>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={
          status.paused ? (
            <IconPlayerPlay size={12} aria-hidden />
          ) : (
            <IconPlayerPause size={12} aria-hidden />
          )
        }
        onClick={() => setPaused(!status.paused)}
      >
        {status.paused ? 'Resume time' : 'Pause time'}
      </Button>
      <NativeSelect
        size="xs"
        w={152}
        aria-label="Speed of simulated time"
        value={status.speed === null ? asFast : String(status.speed)}
        styles={{ input: { minHeight: 22, height: 22, lineHeight: '20px', paddingBlock: 0 } }}
        data={listed.map((s) => ({ value: s === null ? asFast : String(s), label: speedText(s) }))}
        onChange={(e) =>
          setSpeed(e.currentTarget.value === asFast ? null : Number(e.currentTarget.value))
        }
      />
    </Group>
  );
}
