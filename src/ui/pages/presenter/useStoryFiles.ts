import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import { type OwnStory, parseStoryFile, storyText } from '../../../core/history/story.ts';
import { oneChunk } from '../../engine/oneChunk.ts';
import { useDesktop } from '../../engine/services.ts';

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

/**
 * Asks for a story file and checks it with line and column. It gets an id of its own, whatever the
 * file says, so that it replaces none. null = none was chosen, or it was refused, which is shown.
 */
export function useReadStory(): () => Promise<OwnStory | null> {
  const desktop = useDesktop();
  return useCallback(async () => {
    const file = await desktop.openFile(['json', 'jsonc']);
    if (!file) return null;
    try {
      const story = parseStoryFile(file.name, file.text);
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
    }
  }, [desktop]);
}
