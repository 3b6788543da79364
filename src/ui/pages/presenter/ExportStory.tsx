import { Button, Menu, Text } from '@mantine/core';
import { useState } from 'react';

import type { OwnStory } from '../../../core/history/story.ts';
import { dim } from '../../kit/tones.ts';
import { BundleDialog } from '../bundle/BundleDialog.tsx';
import { useExportStory, useExportStoryWithRuns } from './useStoryFiles.tsx';

/** A saved story as a file: with its runs, to be presented elsewhere, or its words alone. */
export function ExportStory({ story }: { story: OwnStory }) {
  const exportWords = useExportStory();
  const exportWithRuns = useExportStoryWithRuns();
  const [asks, setAsks] = useState(false);
  const hasRun = story.steps.some(({ kind }) => kind === 'run');
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default">Export story</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={!hasRun} aria-label="With its runs…" onClick={() => setAsks(true)}>
            With its runs…
            <Text size="xs" c={dim}>
              One file, to be opened and presented elsewhere
            </Text>
          </Menu.Item>
          <Menu.Item aria-label="Words only" onClick={() => void exportWords(story)}>
            Words only
            <Text size="xs" c={dim}>
              Headlines, notes and which runs
            </Text>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asks && (
        <BundleDialog
          of={{ kind: 'story', id: story.id }}
          onClose={() => setAsks(false)}
          onWrite={(redact, decided) => {
            setAsks(false);
            void exportWithRuns(story, redact, decided);
          }}
        />
      )}
    </>
  );
}
