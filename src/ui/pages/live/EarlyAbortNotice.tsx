import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlarm } from '@tabler/icons-react';
import { useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import type { RunOverview } from '../../../core/run/run.ts';

export interface EarlyAbortNoticeProps {
  overview: Pick<RunOverview, 'earlyAbort' | 'abortReason'>;
  /** Epoch ms of the engine's clock. */
  nowMs: number;
  onLetRun: () => Promise<unknown>;
}

/**
 * The end that a plan's rule announces, with the time left and the way to call it off; nothing
 * where none is announced.
 */
export function EarlyAbortNotice({
  overview: { earlyAbort, abortReason },
  nowMs,
  onLetRun,
}: EarlyAbortNoticeProps) {
  const [asking, setAsking] = useState(false);
  const [failed, setFailed] = useState('');
  const shown = earlyAbort?.state === 'warned' && abortReason === null;
  const letRun = async (): Promise<void> => {
    setAsking(true);
    setFailed('');
    try {
      await onLetRun();
    } catch (thrown) {
      setFailed(toAppError(thrown).message);
    } finally {
      setAsking(false);
    }
  };
  const leftS = shown ? Math.max(0, Math.ceil((earlyAbort.dueMs - nowMs) / 1_000)) : 0;
  return (
    <div aria-label="Early end" role="region" hidden={!shown}>
      {shown && (
        <Alert
          color="red"
          icon={<IconAlarm size={18} aria-hidden />}
          p="xs"
          title="This run ends early by its rule"
        >
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <Text size="sm">{`${earlyAbort.text}.`}</Text>
              <Text size="sm" fw={600} role="timer">
                {leftS > 0
                  ? `Ends in ${leftS} s of the run. What was measured is kept.`
                  : 'Ends now unless the rule no longer holds.'}
              </Text>
              {failed !== '' && <Text size="sm">{failed}</Text>}
            </div>
            <Button
              size="xs"
              variant="filled"
              color="red.9"
              loading={asking}
              style={{ flexShrink: 0 }}
              onClick={() => void letRun()}
            >
              Let it run
            </Button>
          </Group>
        </Alert>
      )}
    </div>
  );
}
