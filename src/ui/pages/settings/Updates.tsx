import { Alert, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';

import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import type { UpdateState } from '../../../wire/contract/app.ts';
import { useUpdateStateQuery } from '../../engine/api.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useDesktop } from '../../engine/services.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import { chooseFile } from './packageFile.ts';

/** What is held against the feed, or what came of it. */
type Held =
  | { k: 'reading'; name: string }
  | { k: 'good'; name: string; version: string; newer: boolean }
  | { k: 'refused'; error: AppErrorShape };

/** Newer versions, from the signed feed of an administrator: looked for, told, never installed. */
export function Updates() {
  const { data, error, refetch } = useUpdateStateQuery({});
  const send = useSendCommand();
  const [looking, setLooking] = useState(false);
  const check = async (): Promise<void> => {
    setLooking(true);
    try {
      await send('update.check', {});
      await refetch();
    } finally {
      setLooking(false);
    }
  };
  return (
    <Stack gap={8} align="flex-start">
      <Title order={2} id="updates">
        Updates
      </Title>
      {error ? (
        <Failure
          title="The engine does not answer"
          error={error as AppErrorShape}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <Pending label="updates" rows={1} />
      ) : data.feed === null ? (
        <NoFeed state={data} />
      ) : (
        <>
          <Known state={data} />
          <Group gap={8}>
            <Button variant="default" loading={looking} onClick={() => void check()}>
              Check now
            </Button>
            <HoldPackage />
          </Group>
        </>
      )}
    </Stack>
  );
}

function NoFeed({ state }: { state: UpdateState }) {
  return (
    <>
      {state.fault !== null && <Alert color="yellow">{state.fault}</Alert>}
      <Text size="sm">
        No feed is set, so nothing is looked for and nothing leaves this machine.
        {state.setIn !== '' && (
          <>
            {' '}
            An administrator names one in this file: <Code>{state.setIn}</Code>
          </>
        )}
      </Text>
    </>
  );
}

function Known({
  state: { offered, installed, checkedAtMs, fault, feed },
}: {
  state: UpdateState;
}) {
  return (
    <>
      {offered !== null ? (
        <>
          <Text size="sm" fw={550}>
            Tilebench {offered.version} is available, published {offered.publishedAt.slice(0, 10)}.
            This is {installed}.
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }} lineClamp={12}>
            {offered.notes}
          </Text>
        </>
      ) : (
        checkedAtMs !== null &&
        fault === null && <Text size="sm">Tilebench {installed} is the newest.</Text>
      )}
      {fault !== null && <Alert color="yellow">{fault}</Alert>}
      <Text size="sm" c={dim}>
        {checkedAtMs === null
          ? 'Not checked since this start'
          : `Checked ${formatDateTime(checkedAtMs)}`}
        : {feed}. Checked once a day, never while a run goes on; nothing is installed by itself.
      </Text>
    </>
  );
}

/** A package that was carried here, held against the feed before anybody installs it. */
function HoldPackage() {
  const desktop = useDesktop();
  const send = useSendCommand();
  const [held, setHeld] = useState<Held | null>(null);
  const hold = async (): Promise<void> => {
    try {
      const file = await chooseFile(desktop, (name) => setHeld({ k: 'reading', name }));
      if (file === null) return;
      const { version, newer } = await send('update.hold', file, { refusal: 'here' });
      setHeld({ k: 'good', name: file.name, version, newer });
    } catch (thrown) {
      setHeld({ k: 'refused', error: toAppError(thrown).toShape() });
    }
  };
  return (
    <>
      <Button variant="default" loading={held?.k === 'reading'} onClick={() => void hold()}>
        Install from file…
      </Button>
      {held !== null && held.k !== 'reading' && (
        <Alert
          w="100%"
          role="status"
          color={held.k === 'good' ? 'green' : 'red'}
          title={
            held.k === 'good'
              ? `${held.name} is what was published as ${held.version}`
              : 'Do not install this file'
          }
        >
          {held.k === 'refused' ? (
            <Text size="sm">
              {held.error.message} {held.error.hint}
            </Text>
          ) : held.newer ? (
            <Text size="sm">
              End Tilebench, then install it as the administrator: on Debian and Ubuntu{' '}
              <Code>sudo apt install ./{held.name}</Code>. Runs and settings are kept.
            </Text>
          ) : (
            <Text size="sm">It is not newer than the version that is installed.</Text>
          )}
        </Alert>
      )}
    </>
  );
}
