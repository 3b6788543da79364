import { Button, Group, Text } from '@mantine/core';
import { IconRuler2 } from '@tabler/icons-react';
import { useState } from 'react';

import { fail, toAppError } from '../../../core/base/errors.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import { type SendCommand, useSendCommand } from '../../engine/sendCommand.ts';
import { useClient } from '../../engine/services.ts';

/**
 * Makes the run what scores 1.0 in its plan, and in other plans of the profile that have no
 * reference yet. Gives their names.
 */
async function setReference(
  plansNow: readonly Plan[],
  send: SendCommand,
  { overview, plan }: RunRecord,
): Promise<string[]> {
  const plans = plansNow.filter(
    (one) =>
      one.id === plan.id || (one.profileId === plan.profileId && one.referenceRunId === null),
  );
  if (!plans.some((one) => one.id === plan.id))
    throw fail(
      'notFound',
      'The plan of this run does not exist any more.',
      'Choose the run as reference in another plan.',
    );
  for (const one of plans)
    await send('plan.save', { ...one, referenceRunId: overview.id }, { refusal: 'here' });
  return plans.map((one) => one.name);
}

/** Offered by a run without a reference: later runs are then scored against it. */
export function UseAsReference({ record }: { record: RunRecord }) {
  const client = useClient();
  const send = useSendCommand();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ text: string; failed: boolean } | null>(null);
  const use = async (): Promise<void> => {
    setBusy(true);
    try {
      const names = await setReference(await client.call('plan.list', {}), send, record);
      setSaid({
        text: `This run scores 1.0 a tile in the next runs of ${names.join(', ')}.`,
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
    <Group gap={10}>
      <Button
        size="xs"
        variant="default"
        loading={busy}
        disabled={said !== null && !said.failed}
        leftSection={<IconRuler2 size={14} aria-hidden />}
        onClick={() => void use()}
      >
        Use as reference
      </Button>
      {said !== null && (
        <Text size="sm" role={said.failed ? 'alert' : 'status'}>
          {said.text}
        </Text>
      )}
    </Group>
  );
}
