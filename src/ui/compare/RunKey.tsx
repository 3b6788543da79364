import { Badge, Text } from '@mantine/core';
import type { RunOverview } from '../../shared/run.ts';
import { OriginMark } from '../runs/OriginMark.tsx';
import { neutralColor, tileStyle, type SeriesStyle } from '../charts/palette.ts';

/** Line of a compared run: the baseline is neutral grey, candidates take the palette in order. */
export function runStyle(index: number): SeriesStyle {
  return index === 0 ? { color: neutralColor, dash: [] } : tileStyle(index - 1);
}

/** Name of a compared run with its line; the baseline says that it is one. */
export function RunKey({ index, name, origin }: { index: number; name: string; origin: RunOverview['origin'] }) {
  const { color, dash } = runStyle(index);
  return (
    <>
      <svg width={18} height={8} aria-hidden style={{ flexShrink: 0 }}><line x1={0} x2={18} y1={4} y2={4} stroke={color} strokeWidth={3} strokeDasharray={dash.join(' ')} /></svg>
      <OriginMark origin={origin} />
      <Text span inherit lineClamp={1} title={name} style={{ wordBreak: 'break-all' }}>{name}</Text>
      {index === 0 && <Badge size="xs" variant="outline" color="gray" tt="none" style={{ flexShrink: 0 }}>baseline</Badge>}
    </>
  );
}
