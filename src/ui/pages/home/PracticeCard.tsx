import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { visibleText } from '../../../core/base/visibleText.ts';
import { CopyCommand } from '../../kit/CopyCommand.tsx';
import { StateMark } from '../../kit/StateMark.tsx';
import { dim } from '../../kit/tones.ts';
import { type PracticeLab, startPracticeLab, useTakePracticeLab } from '../plans/usePracticeLab.ts';
import type { PracticeOffers } from './usePracticeLab.ts';

/**
 * The practice lab: one button where it runs, the command that starts it where it does not. One that
 * may be another user's is told, and trusted by nobody but who has seen what it holds.
 */
export function PracticeCard({ lab, styleTile }: PracticeOffers) {
  const known = lab ?? styleTile;
  const own = known?.notOwn === null;
  return (
    <Card
      component="section"
      aria-label="Practice lab"
      style={own ? { boxShadow: '0 0 0 2px var(--mantine-primary-color-filled)' } : undefined}
    >
      <Group justify="space-between" gap="xl" wrap="nowrap">
        <Stack gap={6}>
          <Group gap={12}>
            <Title order={2}>Practice lab</Title>
            {known === null ? (
              <StateMark tone="idle" word="Not running" />
            ) : own ? (
              <StateMark tone="ok" word="Running on this machine" />
            ) : (
              <StateMark tone="warn" word="Found, not yours" />
            )}
          </Group>
          <Text size="sm" {...(known === null ? { c: dim } : {})} maw={620}>
            {known === null
              ? 'Real load on one Debian machine, no lab needed. Start it in the source of ' +
                'Tilebench; it is offered here once it runs. An installed Tilebench comes without it.'
              : own
                ? `${partsOf(known)}, all on this machine. One click connects them and opens the plan.`
                : `${visibleText(known.path)}: ${visibleText(known.notOwn ?? '')}. Nothing of it is used before you have seen what it holds.`}
          </Text>
          {own && styleTile !== null && (
            <Text size="sm" maw={620}>
              VMmark 2 style tile: mail, web, DVD Store and standby with vMotion, Storage vMotion
              and deploy beside them, for six minutes. A scaling study, no VMmark result.
            </Text>
          )}
        </Stack>
        {known === null ? (
          <CopyCommand command={startPracticeLab} />
        ) : (
          <Stack gap={8} style={{ flex: 'none' }}>
            {lab !== null && <UseLab lab={lab} word="Use the practice lab" />}
            {own && styleTile !== null && (
              <UseLab lab={styleTile} word="Use the VMmark 2 style tile" second={lab !== null} />
            )}
          </Stack>
        )}
      </Group>
    </Card>
  );
}

function UseLab({ lab, word, second }: { lab: PracticeLab; word: string; second?: boolean }) {
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
    <Button
      loading={busy}
      {...(second === true ? { variant: 'default' } : {})}
      onClick={() => void take()}
    >
      {word}
    </Button>
  ) : (
    <Button variant="default" loading={busy} onClick={() => void take()}>
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
