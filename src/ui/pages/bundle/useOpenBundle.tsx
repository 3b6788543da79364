import { Button, Group, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import { toAppError } from '../../../core/base/errors.ts';
import type { BinaryFile } from '../../../wire/desktop.ts';
import { editStoryPath } from '../../addresses/presentTarget.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useDesktop } from '../../engine/services.ts';
import { isBundle, type OpenedBundle, sendBundle, sendForeign } from './openBundle.ts';

const bundleSuffix = 'tilebench';

/**
 * Opens a file that is there (a drop, a double click, a choice), with progress and cancel, and goes
 * to its run or its story: a bundle by its first bytes, anything else as another tool's results.
 */
export function useTakeFile(): (file: BinaryFile, filter?: readonly string[]) => Promise<void> {
  const send = useSendCommand();
  const navigate = useNavigate();
  return useCallback(
    async (file, filter = []) => {
      const stop = new AbortController();
      const id = `bundle ${file.name}`;
      const show = (done: number): void => {
        const message = (
          <Group gap={8} wrap="nowrap">
            <Progress
              aria-label={`Opening ${file.name}`}
              w={140}
              value={(done / Math.max(1, file.size)) * 100}
            />
            <Text size="xs">{done < file.size ? 'Being read' : 'Being checked'}</Text>
            <Button size="compact-xs" variant="default" onClick={() => stop.abort()}>
              Cancel
            </Button>
          </Group>
        );
        notifications[done === 0 ? 'show' : 'update']({
          id,
          title: `Opening ${file.name}`,
          message,
          autoClose: false,
          withCloseButton: false,
        });
      };
      show(0);
      try {
        const bundle = await isBundle(file);
        const { opened, leftOut } = bundle
          ? { opened: await sendBundle(send, file, show, stop.signal), leftOut: [] }
          : await openForeign(send, file, filter, show, stop.signal);
        notifications.update({
          id,
          color: leftOut.length > 0 ? 'yellow' : 'green',
          title: `${file.name} opened${leftOut.length > 0 ? ', in part' : ''}`,
          message: bundle
            ? opened.kind === 'story'
              ? 'A story with its runs, which are read-only and marked as from a bundle.'
              : 'Read-only, marked as from a bundle.'
            : ['Imported as a run, marked with the tool it is from.', ...leftOut].join(' '),
          autoClose: leftOut.length > 0 ? false : 6_000,
          withCloseButton: true,
        });
        void navigate(opened.kind === 'story' ? editStoryPath(opened.id) : `/runs/${opened.id}`);
      } catch (thrown) {
        const error = toAppError(thrown);
        if (error.kind === 'aborted')
          notifications.update({
            id,
            title: `${file.name} was not opened`,
            message: 'Cancelled. Nothing of it was kept.',
            autoClose: 6_000,
            withCloseButton: true,
          });
        else
          notifications.update({
            id,
            color: 'red',
            title: `${file.name} was refused`,
            message: `${error.message}${error.hint ? ` ${error.hint}` : ''}`,
            autoClose: false,
            withCloseButton: true,
          });
      }
    },
    [send, navigate],
  );
}

const openForeign = async (
  ...asked: Parameters<typeof sendForeign>
): Promise<{ opened: OpenedBundle; leftOut: readonly string[] }> => {
  const { runId, leftOut } = await sendForeign(...asked);
  return { opened: { kind: 'run', id: runId }, leftOut };
};

/** Asks for a bundle and opens it. */
export function useOpenBundle(): () => Promise<void> {
  const desktop = useDesktop();
  const take = useTakeFile();
  return useCallback(async () => {
    const file = await desktop.openBinary([bundleSuffix]);
    if (file !== null) await take(file);
  }, [desktop, take]);
}
