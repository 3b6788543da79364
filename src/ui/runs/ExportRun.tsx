import { Button, Group, Progress, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { toAppError } from '../../shared/errors.ts';
import { formatSi } from '../charts/format.ts';
import type { ExportProgress } from './exportRun.ts';

type Format = 'csv' | 'json';
interface Props { /** Writes the file; null when the user chose none. */ run: (format: Format, onProgress: (progress: ExportProgress) => void, signal: AbortSignal) => Promise<string | null> }

/** Export with counts and cancel. Leaving the page cancels, so that no half file is left behind in silence. */
export function ExportRun({ run }: Props) {
  const [active, setActive] = useState<{ format: Format; progress: ExportProgress } | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async (format: Format): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    setMessage(null);
    setActive({ format, progress: { done: 0, total: 0 } });
    try {
      const file = await run(format, (progress) => setActive({ format, progress }), controller.signal);
      setMessage(file === null ? null : `Written: ${file}`);
    } catch (thrown) {
      const error = toAppError(thrown);
      setMessage(error.kind === 'aborted' ? 'Export cancelled. The file is incomplete.' : `Export failed: ${error.message}${error.hint ? ` ${error.hint}` : ''}`);
    } finally {
      abort.current = null;
      setActive(null);
    }
  };
  if (active !== null) {
    const { done, total } = active.progress;
    return (
      <Group gap={8} wrap="nowrap">
        <Progress aria-label={`Export ${active.format.toUpperCase()}`} w={120} value={total === 0 ? 0 : (done / total) * 100} />
        <Text size="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>{`${formatSi(done)} of ${formatSi(total)} samples`}</Text>
        <Button size="compact-xs" variant="default" onClick={() => abort.current?.abort()}>Cancel export</Button>
      </Group>
    );
  }
  return (
    <Group gap={6}>
      {(['csv', 'json'] as const).map((format) => <Button key={format} size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={() => void start(format)}>{`Export ${format.toUpperCase()}`}</Button>)}
      <Text size="xs" role="status">{message}</Text>
    </Group>
  );
}
