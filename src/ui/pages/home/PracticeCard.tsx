import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { visibleText } from '../../../core/base/visibleText.ts';
import { CopyCommand } from '../../kit/CopyCommand.tsx';
import { StateMark } from '../../kit/StateMark.tsx';
import { dim } from '../../kit/tones.ts';
import { type PracticeLab, startPracticeLab, useTakePracticeLab } from '../plans/usePracticeLab.ts';

/**
 * The practice lab: one button where it runs, the command that starts it where it does not. One that
 * may be another user's is told, and trusted by nobody but who has seen what it holds.
 */
export function PracticeCard({ lab }: { lab: PracticeLab | null }) {
  return (
    <Card
      component="section"
      aria-label="Practice lab"
      style={
        lab?.notOwn === null
          ? { boxShadow: '0 0 0 2px var(--mantine-primary-color-filled)' }
          : undefined
      }
    >
      <Group justify="space-between" gap="xl" wrap="nowrap">
        <Stack gap={6}>
          <Group gap={12}>
            <Title order={2}>Practice lab</Title>
            {lab === null ? (
              <StateMark tone="idle" word="Not running" />
            ) : lab.notOwn === null ? (
              <StateMark tone="ok" word="Running on this machine" />
            ) : (
              <StateMark tone="warn" word="Found, not yours" />
            )}
          </Group>
          <Text size="sm" {...(lab === null ? { c: dim } : {})} maw={620}>
            {lab === null
              ? 'Real load on one Debian machine, no lab needed. Start it in the source of ' +
                'Tilebench; it is offered here once it runs. An installed Tilebench comes without it.'
              : lab.notOwn === null
                ? `${partsOf(lab)}, all on this machine. One click connects them and opens the plan.`
                : `${visibleText(lab.path)}: ${visibleText(lab.notOwn)}. Nothing of it is used before you have seen what it holds.`}
          </Text>
        </Stack>
        {lab === null ? <CopyCommand command={startPracticeLab} /> : <UseLab lab={lab} />}
      </Group>
    </Card>
  );
}

function UseLab({ lab }: { lab: PracticeLab }) {
  const takeLab = useTakePracticeLab();
  const [busy, setBusy] = useState(false);
  const take = async (): Promise<void> => {
    setBusy(true);
    try {
      await takeLab(lab);
    } finally {
      setBusy(false);
    }
  };
  return lab.notOwn === null ? (
    <Button loading={busy} style={{ flex: 'none' }} onClick={() => void take()}>
      Use the practice lab
    </Button>
  ) : (
    <Button variant="default" loading={busy} style={{ flex: 'none' }} onClick={() => void take()}>
      Show what it holds…
    </Button>
  );
}

function partsOf({ source: { file } }: PracticeLab): string {
  const count = (kind: string): number =>
    file.connections.filter((connection) => connection.kind === kind).length;
  const parts = [
    count('vcenter') > 0 ? 'A simulated vCenter' : null,
    count('client') > 0 ? counted(count('client'), 'client machine') : null,
    count('power') > 0 ? counted(count('power'), 'power source') : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
