import { Alert, Button, Group, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { GuestChoice, GuestPlan } from '../../../core/roles/job.ts';
import { placeText } from '../../../core/roles/words.ts';

/** Asks once, and says what will be gone. The answer that keeps everything has the focus. */
export function PutBackQuestion({
  plan,
  choices,
  onKeep,
  onPutBack,
}: {
  plan: GuestPlan;
  choices: readonly GuestChoice[];
  onKeep: () => void;
  onPutBack: () => void;
}) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const keys = new Set(choices.map(({ key }) => key));
  const names = plan.items
    .filter(({ key }) => keys.has(key))
    .map((item) => item.vm ?? placeText(item));
  return (
    <Alert
      p="sm"
      color="orange"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      icon={<IconArrowBackUp aria-hidden />}
      title={`Put ${counted(names.length, 'machine')} back to what was there before`}
      role="alertdialog"
    >
      <Text size="sm">
        {`${names.slice(0, 12).join(', ')}${names.length > 12 ? ` and ${names.length - 12} more` : ''}: ` +
          'packages that were installed here are removed with their data, such as the databases ' +
          'and mailboxes of the role; files that stood before return.'}
      </Text>
      <Text size="sm" mb={8}>
        What was on a machine before its preparation stays. A file edited since is kept beside its
        place.
      </Text>
      <Group gap={8}>
        <Button ref={keep} size="xs" variant="default" onClick={onKeep}>
          Keep everything
        </Button>
        <Button size="xs" color="red.9" onClick={onPutBack}>
          {`Put ${counted(names.length, 'machine')} back`}
        </Button>
      </Group>
    </Alert>
  );
}
