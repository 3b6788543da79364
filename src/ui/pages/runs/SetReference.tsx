import { Button, NativeSelect, Popover, Stack, Text } from '@mantine/core';
import { useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import { useRunList } from '../../engine/runData.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useClient } from '../../engine/services.ts';
import { comparable } from '../diagnosis/RunDiagnosis.tsx';
import { setReference } from './setReference.ts';

/** Offered where nothing says what scores 1.0: this run, or another of its profile. */
export function SetReference({ record }: { record: RunRecord }) {
  const runs = useRunList().data ?? [];
  const client = useClient();
  const send = useSendCommand();
  const [chosen, setChosen] = useState(record.overview.id);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ text: string; failed: boolean } | null>(null);
  const run = runs.find((one) => one.id === record.overview.id);
  const others = run === undefined ? [] : comparable(runs, run).slice(0, 200);
  const use = async (): Promise<void> => {
    setBusy(true);
    try {
      const names = await setReference(
        await client.call('plan.list', {}),
        send,
        record.plan,
        chosen,
      );
      const which = chosen === record.overview.id ? 'This run' : 'It';
      setSaid({
        text: `${which} scores 1.0 per tile in the next runs of ${names.join(', ')}.`,
        failed: false,
      });
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      setSaid({ text: [message, hint].filter(Boolean).join(' '), failed: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popover width={340} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button size="compact-xs" variant="subtle">
          Set a reference…
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Reference">
        <Stack gap={8} align="flex-start">
          <Text size="sm">
            The reference scores 1.0 per tile. It counts from the next run on; this run keeps its
            figures.
          </Text>
          <NativeSelect
            label="Run"
            value={chosen}
            onChange={(e) => {
              setChosen(e.currentTarget.value);
              setSaid(null);
            }}
            data={[
              { value: record.overview.id, label: `This run, ${record.overview.name}` },
              ...others.map((one) => ({ value: one.id, label: one.name })),
            ]}
          />
          <Button
            variant="filled"
            loading={busy}
            disabled={said !== null && !said.failed}
            onClick={() => void use()}
          >
            Use as reference
          </Button>
          {said !== null && (
            <Text size="sm" role={said.failed ? 'alert' : 'status'}>
              {said.text}
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
