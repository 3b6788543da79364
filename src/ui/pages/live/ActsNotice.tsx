import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import { formatElapsed } from '../../../core/base/format.ts';
import type { RunOverview } from '../../../core/run/run.ts';

/** An act is announced this long before its time. */
const announcedMs = 300_000;

export interface ActsNoticeProps {
  overview: Pick<RunOverview, 'acts' | 'state'>;
  /** Epoch ms of the engine's clock. */
  nowMs: number;
  onDone: (actId: string) => Promise<unknown>;
}

/** What the next act of the plan is and when; what is to be done by hand, with Done. */
export function ActsNotice({ overview: { acts = [], state }, nowMs, onDone }: ActsNoticeProps) {
  const [sending, setSending] = useState('');
  const [failed, setFailed] = useState('');
  const shown =
    state !== 'steady'
      ? []
      : acts.filter(
          (act) =>
            act.state === 'asked' ||
            act.state === 'doing' ||
            (act.state === 'planned' &&
              act.plannedMs !== null &&
              act.plannedMs - nowMs < announcedMs),
        );
  const done = async (id: string): Promise<void> => {
    setSending(id);
    setFailed('');
    try {
      await onDone(id);
    } catch (thrown) {
      setFailed(toAppError(thrown).message);
    } finally {
      setSending('');
    }
  };
  return (
    <div aria-label="Acts" role="region" hidden={shown.length === 0}>
      {shown.map((act) => {
        const asked = act.state === 'asked';
        const leftMs = (act.plannedMs ?? nowMs) - nowMs;
        return (
          <Alert key={act.id} color={asked ? 'orange' : 'blue'} p="xs" title={act.label}>
            <Group justify="space-between" wrap="nowrap" align="center">
              <div>
                <Text size="sm" role="timer">
                  {asked
                    ? act.startedMs === null
                      ? 'Do it by hand now, then press Done.'
                      : 'Put it back by hand now, then press Done.'
                    : act.state === 'doing'
                      ? `Under way for ${formatElapsed(nowMs - (act.startedMs ?? nowMs))}.`
                      : `In ${formatElapsed(Math.max(0, leftMs))}${act.by === 'hand' ? ', by hand: be ready' : ''}.`}
                </Text>
                {failed !== '' && asked && <Text size="sm">{failed}</Text>}
              </div>
              {act.by === 'hand' && (
                <Button
                  variant={asked ? 'filled' : 'default'}
                  loading={sending === act.id}
                  style={{ flexShrink: 0 }}
                  onClick={() => void done(act.id)}
                >
                  Done
                </Button>
              )}
            </Group>
          </Alert>
        );
      })}
    </div>
  );
}
