import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconCircleX, IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import { parseTestbedFile } from '../../../core/testbed/testbedFile.ts';
import { type TestbedFile } from '../../../core/testbed/testbedFileTypes.ts';
import { useDesktop } from '../../engine/services.ts';
import { ImportSteps } from './ImportDialog.tsx';

type Opened =
  { name: string; file: TestbedFile } | { name: string; message: string; hint: string | null };

/**
 * Opens a testbed file and maps its names to this lab, step by step. A file that is none says
 * where, and loses nothing; a closed dialog can be gone on with.
 */
export function ImportTestbed() {
  const desktop = useDesktop();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [shown, setShown] = useState(false);
  const choose = async (): Promise<void> => {
    const chosen = await desktop.openFile(['json', 'jsonc']);
    if (!chosen) return;
    try {
      setOpened({ name: chosen.name, file: parseTestbedFile(chosen.name, chosen.text) });
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      setOpened({ name: chosen.name, message, hint: hint ?? null });
    }
    setShown(true);
  };
  const halfDone = opened !== null && 'file' in opened && !shown;
  return (
    <>
      <Group gap={8}>
        {halfDone && (
          <Button
            variant="default"
            onClick={() => setShown(true)}
          >{`Go on with ${opened.name}`}</Button>
        )}
        <Button
          variant="default"
          leftSection={<IconFileImport size={16} aria-hidden />}
          onClick={() => void choose()}
        >
          Import testbed
        </Button>
      </Group>
      <Modal
        opened={shown && opened !== null}
        onClose={() => setShown(false)}
        size="min(1080px, 94vw)"
        title={opened ? `Import ${opened.name}` : ''}
        closeOnClickOutside={false}
        keepMounted
        closeButtonProps={{ 'aria-label': 'Close the import; it can be gone on with' }}
        transitionProps={{ duration: 0 }}
      >
        {opened &&
          ('file' in opened ? (
            <ImportSteps
              key={opened.name}
              file={opened.file}
              onDone={() => {
                setShown(false);
                setOpened(null);
              }}
            />
          ) : (
            <Stack gap="sm">
              <Alert
                color="red"
                icon={<IconCircleX aria-hidden />}
                title={`${opened.name} cannot be imported`}
                role="alert"
              >
                <Text
                  size="sm"
                  className="mono"
                  style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
                >
                  {opened.message}
                </Text>
                {opened.hint !== null && (
                  <Text size="sm" mt={6}>
                    {opened.hint}
                  </Text>
                )}
              </Alert>
              <Text size="sm">Nothing was changed.</Text>
              <Group justify="flex-end">
                <Button onClick={() => void choose()}>Choose another file</Button>
              </Group>
            </Stack>
          ))}
      </Modal>
    </>
  );
}
