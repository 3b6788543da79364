import { Button, Code, Group } from '@mantine/core';
import { IconCheck, IconClipboard } from '@tabler/icons-react';
import { useState } from 'react';

/** A line for a terminal, with the button that copies it. */
export function CopyCommand({ command }: { command: string }) {
  const [said, setSaid] = useState<'Copied' | 'Not copied' | null>(null);
  const copy = (): void => {
    navigator.clipboard.writeText(command).then(
      () => setSaid('Copied'),
      // A clipboard that is closed to the page: the line can be marked by hand.
      () => setSaid('Not copied'),
    );
  };
  return (
    <Group gap={8} wrap="nowrap">
      <Code
        style={{
          padding: '4px 8px',
          fontSize: 12,
          whiteSpace: 'nowrap',
          fontVariantLigatures: 'none',
        }}
      >
        {command}
      </Code>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Copy ${command}`}
        leftSection={
          said === 'Copied' ? (
            <IconCheck size={14} aria-hidden />
          ) : (
            <IconClipboard size={14} aria-hidden />
          )
        }
        onClick={copy}
      >
        <span role="status">{said ?? 'Copy'}</span>
      </Button>
    </Group>
  );
}
