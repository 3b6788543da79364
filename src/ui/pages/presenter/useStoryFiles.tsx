import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useCallback } from 'react';

import { fail, toAppError } from '../../../core/base/errors.ts';
import { type OwnStory, parseStoryFile, storyText } from '../../../core/history/story.ts';
import { type Confirmed, exportStory } from '../../engine/exportRun.ts';
import { oneChunk } from '../../engine/oneChunk.ts';
import { useClient, useDesktop } from '../../engine/services.ts';
import { isBundle } from '../bundle/openBundle.ts';
import { useTakeFile } from '../bundle/useOpenBundle.tsx';

/** Asks where, and writes a story as a file of its own: names, headlines and notes as they stand. */
export function useExportStory(): (story: OwnStory) => Promise<void> {
  const desktop = useDesktop();
  return useCallback(
    async (story) => {
      const name = await desktop.saveFile(
        `${story.name.replace(/[^A-Za-z0-9._-]+/g, '-')}.story.json`,
        oneChunk(storyText(story)),
      );
      if (name !== null) notifications.show({ color: 'green', message: `Wrote ${name}.` });
    },
    [desktop],
  );
}

/** Writes a story with its runs as one file, with counts; leaving the page does not end it. */
export function useExportStoryWithRuns(): (
  story: OwnStory,
  redact: boolean,
  decided: Confirmed,
) => Promise<void> {
  const desktop = useDesktop();
  const client = useClient();
  return useCallback(
    async (story, redact, decided) => {
      const id = `export ${story.id}`;
      const stop = new AbortController();
      const title = `Exporting ${story.name}`;
      const tell = (message: ReactNode, more: object = {}): void => {
        notifications.update({ id, title, message, autoClose: false, ...more });
      };
      const cancel = (
        <Button size="compact-xs" variant="default" onClick={() => stop.abort()}>
          Cancel export
        </Button>
      );
      notifications.show({ id, title, message: cancel, autoClose: false, withCloseButton: false });
      try {
        const name = await exportStory(
          client,
          desktop,
          story.id,
          { redact, ...decided },
          () => undefined,
          stop.signal,
        );
        if (name === null) notifications.hide(id);
        else tell(`Wrote ${name}.`, { color: 'green', autoClose: 6_000, withCloseButton: true });
      } catch (thrown) {
        const { kind, message, hint } = toAppError(thrown);
        tell(
          kind === 'aborted' ? 'Cancelled. No file was kept.' : `${message} ${hint ?? ''}`.trim(),
          { color: kind === 'aborted' ? 'gray' : 'red', withCloseButton: true },
        );
      }
    },
    [client, desktop],
  );
}

/** Longest story file that is read: far beyond the longest story. */
const longestText = 4 * 1024 ** 2;

/**
 * Asks for a story: the words alone, checked with line and column, or a story with its runs, which is
 * opened as any bundle is. Words get an id of their own, whatever the file says, so that they replace
 * none. null = none was chosen, it was opened, or it was refused, which is shown.
 */
export function useReadStory(): () => Promise<OwnStory | null> {
  const desktop = useDesktop();
  const take = useTakeFile();
  return useCallback(async () => {
    const file = await desktop.openBinary(['json', 'jsonc', 'tilebench']);
    if (file === null) return null;
    if (await isBundle(file)) {
      await take(file);
      return null;
    }
    try {
      if (file.size > longestText)
        throw fail('invalidInput', `${file.name} is larger than a story can be.`);
      const text = new TextDecoder().decode(await file.read(0, file.size));
      const story = parseStoryFile(file.name, text);
      return { ...story, id: `story-${crypto.randomUUID()}` };
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      notifications.show({
        color: 'red',
        title: message,
        message: hint ?? '',
        autoClose: 12_000,
        style: { whiteSpace: 'pre-line' },
      });
      return null;
    } finally {
      file.close();
    }
  }, [desktop, take]);
}
