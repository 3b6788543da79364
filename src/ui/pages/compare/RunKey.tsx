import { Badge, Text } from '@mantine/core';

import { runStyle } from '../../../core/chart/palette.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { OriginMark } from '../../kit/OriginMark.tsx';

/** Name of a compared run with its line; the baseline says that it is one. */
export function RunKey({
  index,
  name,
  origin,
}: {
  index: number;
  name: string;
  origin: RunOverview['origin'];
}) {
  const { color, dash } = runStyle(index);
  return (
    <>
      <svg width={18} height={8} aria-hidden style={{ flexShrink: 0 }}>
        <line
          x1={0}
          x2={18}
          y1={4}
          y2={4}
          stroke={color}
          strokeWidth={3}
          strokeDasharray={dash.join(' ')}
        />
      </svg>
      <OriginMark origin={origin} />
      <Text span inherit lineClamp={3} title={name} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {index === 0 && (
        <Badge size="xs" variant="outline" color="gray" tt="none" style={{ flexShrink: 0 }}>
          baseline
        </Badge>
      )}
    </>
  );
}
