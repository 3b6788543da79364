import { Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { IconArrowsDiff, IconTrash } from '@tabler/icons-react';
import type { RunSummary } from '../../shared/run.ts';
import { maxCompared } from '../compare/compareAddress.ts';
import { counted } from '../runs/runWords.ts';
import { dim } from '../runs/tones.ts';

interface Props { runs: readonly RunSummary[]; onDrop: (id: string) => void; onClear: () => void; onCompare: () => void; onRemove: () => void }
const named = 4;

/** What is selected, and what can be done with it. The first selected run is the baseline. */
export function CompareTray({ runs, onDrop, onClear, onCompare, onRemove }: Props) {
  if (runs.length === 0) return null;
  const tooMany = runs.length > maxCompared + 1;
  return (
    <Paper withBorder p={8} role="region" aria-label="Selected runs">
      <Group gap={8}>
        <Text size="sm" fw={600}>{`${counted(runs.length, 'run')} selected`}</Text>
        {runs.slice(0, named).map((r, i) => <Group key={r.id} gap={2} wrap="nowrap"><Text size="sm">{i === 0 ? `${r.name} (baseline)` : r.name}</Text><CloseButton size="xs" aria-label={`Deselect ${r.name}`} onClick={() => onDrop(r.id)} /></Group>)}
        {runs.length > named && <Text size="sm" c={dim}>{`and ${runs.length - named} more`}</Text>}
        <Group gap={6} ml="auto">
          {tooMany && <Text size="xs">{`At most ${maxCompared + 1} runs side by side.`}</Text>}
          <Button size="xs" variant="subtle" onClick={onClear}>Clear</Button>
          <Button size="xs" variant="default" color="red" leftSection={<IconTrash size={14} aria-hidden />} onClick={onRemove}>Remove</Button>
          <Button size="xs" leftSection={<IconArrowsDiff size={14} aria-hidden />} disabled={runs.length < 2 || tooMany} title={runs.length < 2 ? 'Two runs at least' : undefined} onClick={onCompare}>Compare</Button>
        </Group>
      </Group>
    </Paper>
  );
}
