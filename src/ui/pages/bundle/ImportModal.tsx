import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ContextModalProps, modals } from '@mantine/modals';
import { useState } from 'react';

import { deviceTitles, importExtensions, importTitles } from '../../../core/history/importForms.ts';
import { useDesktop } from '../../engine/services.ts';
import { useTakeFile } from './useOpenBundle.tsx';

/** Asks for a file of another tool, and for the devices wanted of it. */
export function ImportModal({ id }: ContextModalProps) {
  const desktop = useDesktop();
  const take = useTakeFile();
  const [filter, setFilter] = useState('');
  const choose = async (): Promise<void> => {
    const file = await desktop.openBinary(importExtensions);
    if (file === null) return;
    modals.close(id);
    await take(
      file,
      filter
        .split(',')
        .map((text) => text.trim())
        .filter((text) => text !== ''),
    );
  };
  return (
    <Stack gap="sm">
      <Text size="sm">
        {`Files of these kinds become runs that can be charted, compared and exported: ${importTitles.join(', ')}. ` +
          'The kind is told from the file itself.'}
      </Text>
      <TextInput
        label="Devices"
        description={`${deviceTitles.join(', ')} only: names or parts of names, with commas between them. Empty takes all.`}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
        placeholder="naa.6006, vmhba2"
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={() => modals.close(id)}>
          Close
        </Button>
        <Button onClick={() => void choose()}>Choose file…</Button>
      </Group>
    </Stack>
  );
}
