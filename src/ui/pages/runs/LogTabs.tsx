import { Code, ScrollArea, Tabs, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import { dim } from '../../kit/tones.ts';

interface Props {
  logs: readonly { name: string; text: string }[];
}
/** A page never draws more lines than this; the rest is in the export. */
const maxLines = 2_000;

/** Logs of the run, one tab each, with a filter by text. */
export function LogTabs({ logs }: Props) {
  const [filter, setFilter] = useState('');
  if (logs.length === 0)
    return (
      <Text size="sm" c={dim}>
        No log was kept.
      </Text>
    );
  const needle = filter.toLowerCase();
  const shown = (text: string): { lines: string; hidden: number } => {
    const lines = text
      .split('\n')
      .filter((line) => needle === '' || line.toLowerCase().includes(needle));
    return {
      lines: lines.slice(-maxLines).join('\n'),
      hidden: Math.max(0, lines.length - maxLines),
    };
  };
  // By place, not by name: a value becomes part of an id, and ids have no spaces.
  return (
    <Tabs defaultValue="0" keepMounted={false}>
      <Tabs.List aria-label="Logs">
        {logs.map((log, at) => (
          <Tabs.Tab key={log.name} value={String(at)}>
            {log.name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <TextInput
        my={6}
        size="xs"
        w={280}
        aria-label="Filter lines"
        placeholder="Filter lines"
        value={filter}
        onChange={(e) => setFilter(e.currentTarget.value)}
      />
      {logs.map((log, at) => {
        const { lines, hidden } = shown(log.text);
        return (
          <Tabs.Panel key={log.name} value={String(at)}>
            {hidden > 0 && <Text size="xs" c={dim}>{`${hidden} earlier lines not shown`}</Text>}
            <ScrollArea.Autosize
              mah={420}
              type="auto"
              viewportProps={{ tabIndex: 0, 'aria-label': `Log ${log.name}` }}
            >
              <Code block fz={12}>
                {lines === '' ? (needle === '' ? 'Empty.' : 'No line matches.') : lines}
              </Code>
            </ScrollArea.Autosize>
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}
