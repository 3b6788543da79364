import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';

import { formatElapsed } from '../../../core/base/format.ts';
import { dim } from '../../kit/tones.ts';
import { presenterAction } from './presenterKeys.ts';
import { useHeardNotes } from './speakerNotes.ts';

/** The speaker's own screen: what the room reads, what to say, what comes next, how long it has been. */
export function PresenterNotes() {
  const { spoken, press } = useHeardNotes();
  const [elapsedMs, restart] = useElapsed();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const action = presenterAction(event);
      if (event.target instanceof HTMLButtonElement && event.key === 'Enter') return;
      if (action !== 'next' && action !== 'previous') return;
      event.preventDefault();
      press(action);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
  useEffect(() => {
    document.title = 'Speaker notes – Tilebench';
  }, []);
  return (
    <Stack component="main" gap="lg" p={32} mih="100vh" maw={1180}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text size="sm" c={dim}>
            {spoken === null ? 'Speaker notes' : `${spoken.title} · ${spoken.place}`}
          </Text>
          <Title order={1} size={28} lh="36px">
            {spoken === null
              ? 'Nothing is presented'
              : spoken.headline === ''
                ? spoken.title
                : spoken.headline}
          </Title>
        </div>
        <Group gap={12} wrap="nowrap">
          <Text fz={28} lh="36px" className="tabular" aria-label="Time since the start">
            {formatElapsed(elapsedMs)}
          </Text>
          <Button variant="default" onClick={restart}>
            Restart
          </Button>
        </Group>
      </Group>
      {spoken === null ? (
        <Text>
          Present a run, a study or a story in the other window: its notes stand here, for the
          speaker alone.
        </Text>
      ) : (
        <>
          <Text
            component="section"
            aria-label="Notes"
            fz={22}
            lh="32px"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', flex: 1 }}
            {...(spoken.notes === '' ? { c: dim } : {})}
          >
            {spoken.notes === '' ? 'No notes for this one.' : spoken.notes}
          </Text>
          <Group justify="space-between" wrap="nowrap">
            <Text c={dim} aria-label="Next">
              {spoken.next === null ? 'This is the last.' : `Next: ${spoken.next}`}
            </Text>
            <Group gap={8} wrap="nowrap">
              <Button variant="default" onClick={() => press('previous')}>
                Back
              </Button>
              <Button disabled={spoken.next === null} onClick={() => press('next')}>
                Next
              </Button>
            </Group>
          </Group>
        </>
      )}
    </Stack>
  );
}

/** Milliseconds since this screen was opened, or since `restart`, each second. */
function useElapsed(): [elapsedMs: number, restart: () => void] {
  const [fromMs, setFromMs] = useState(() => performance.now());
  const [nowMs, setNowMs] = useState(fromMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return [
    Math.max(0, nowMs - fromMs),
    () => {
      const now = performance.now();
      setFromMs(now);
      setNowMs(now);
    },
  ];
}
