import { Button, Popover, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';

import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import type { CheckFinding } from '../../../core/plan/plan.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';

interface Props {
  planId: string;
  onStarted: (runId: string) => void;
}

/** Checks the plan as it is now and launches it when nothing blocks; otherwise says what blocks. */
export function RunAgain({ planId, onStarted }: Props) {
  const send = useSendCommand();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{
    findings: readonly CheckFinding[];
    error: AppErrorShape | null;
  } | null>(null);
  const start = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const report = await send('plan.check', { id: planId }, { refusal: 'here' });
      if (report.ready)
        onStarted(
          (await send('run.start', { planId, checkedHash: report.hash }, { refusal: 'here' }))
            .runId,
        );
      else
        setProblem({
          findings: report.findings.filter((f) => f.severity === 'block'),
          error: null,
        });
    } catch (thrown) {
      setProblem({ findings: [], error: toAppError(thrown).toShape() });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popover
      opened={problem !== null}
      onChange={(opened) => {
        if (!opened) setProblem(null);
      }}
      position="bottom-end"
      withArrow
      shadow="md"
      width={420}
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          loading={busy}
          leftSection={<IconRefresh size={14} aria-hidden />}
          title="Checks the plan as it is now, then launches it"
          onClick={() => void start()}
        >
          Run again
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="alert">
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            Not started
          </Text>
          {problem?.error && (
            <Text size="sm">{`${problem.error.message}${problem.error.hint ? ` ${problem.error.hint}` : ''}`}</Text>
          )}
          {problem?.findings.map((f) => (
            <Text
              key={`${f.id} ${f.title}`}
              size="sm"
            >{`${f.title}: ${f.evidence}${f.fix ? ` ${f.fix}` : ''}`}</Text>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
