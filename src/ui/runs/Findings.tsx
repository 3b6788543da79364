import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { RunOverview } from '../../shared/run.ts';
import { formatClock, formatElapsed } from '../charts/format.ts';

const looks = { block: { color: 'red', icon: IconCircleX, word: 'Blocks' }, warn: { color: 'orange', icon: IconAlertTriangle, word: 'Warning' }, info: { color: 'gray', icon: IconInfoCircle, word: 'Note' } } as const;
const rank = { block: 0, warn: 1, info: 2 } as const;

/** Findings, the gravest first, each with what to do. */
export function Findings({ overview }: { overview: RunOverview }) {
  const list = [...overview.findings].sort((a, b) => rank[a.severity] - rank[b.severity] || a.tMs - b.tMs);
  if (list.length === 0) return <Text size="sm" c="dimmed">No findings.</Text>;
  return (
    <Stack gap={6} role="list" aria-label="Findings">
      {list.map((f) => {
        const { color, icon: FindingIcon, word } = looks[f.severity];
        const at = overview.startedAtMs === null ? formatClock(f.tMs) : formatElapsed(f.tMs - overview.startedAtMs);
        return (
          <Alert key={`${f.id}@${f.tMs}`} role="listitem" p="xs" color={color} icon={<FindingIcon aria-hidden />} title={`${word} at ${at}`}>
            <Text size="sm">{f.text}</Text>{f.fix && <Text size="sm"><b>Fix: </b>{f.fix}</Text>}
          </Alert>
        );
      })}
    </Stack>
  );
}
