import { Button, Group, List, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import type { AppErrorShape } from '../../shared/errors.ts';
import { isEnd, type RunSummary } from '../../shared/run.ts';
import { formatSi } from '../charts/format.ts';
import { bad } from '../runs/tones.ts';
import { counted } from '../runs/runWords.ts';

interface Props { runs: readonly RunSummary[]; onClose: () => void; onRemove: (id: string) => Promise<void> }
const listed = 12;

/** Asks once and says exactly what will be gone. Runs that are still active stay. */
export function RemoveRuns({ runs, onClose, onRemove }: Props) {
  const [problem, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // What is asked about stays as asked, while the list behind shrinks.
  const [asked] = useState(runs);
  const ended = asked.filter((r) => isEnd(r.state));
  const active = asked.length - ended.length;
  const samples = ended.reduce((sum, r) => sum + r.sampleCount, 0);
  const remove = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      for (const run of ended) await onRemove(run.id);
      onClose();
    } catch (thrown) {
      const error = thrown as Partial<AppErrorShape>;
      setError(`${error.message ?? 'The run could not be removed.'}${error.hint ? ` ${error.hint}` : ''}`);
    } finally { setBusy(false); }
  };
  return (
    <Modal opened onClose={onClose} title={`Remove ${counted(ended.length, 'run')}`} transitionProps={{ duration: 0 }} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm">{`Gone for good: ${formatSi(samples)} samples, the score, events, notes, logs and the recorded set-up of`}</Text>
      <List size="sm" my={6}>{ended.slice(0, listed).map((r) => <List.Item key={r.id}>{r.name}</List.Item>)}{ended.length > listed && <List.Item>{`and ${ended.length - listed} more`}</List.Item>}</List>
      <Text size="sm">Plans, testbeds and exported files stay. Runs that used one of these as reference keep their scores.</Text>
      {active > 0 && <Text size="sm" mt={6}>{`${counted(active, 'active run')} not removed: abort first.`}</Text>}
      {problem !== null && <Text size="sm" c={bad} mt={6} role="alert">{problem}</Text>}
      <Group gap={8} mt="md" justify="flex-end"><Button size="xs" variant="default" onClick={onClose}>Keep</Button><Button size="xs" color="red" loading={busy} disabled={ended.length === 0} onClick={() => void remove()}>{`Remove ${counted(ended.length, 'run')}`}</Button></Group>
    </Modal>
  );
}
