import { Button, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';

import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import { formatElapsed } from '../../../core/base/format.ts';
import { type CheckFinding, planDurationS } from '../../../core/plan/plan.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import { usePlanListQuery, useProfileListQuery, useTestbedListQuery } from '../../engine/api.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { Pending } from '../../kit/LoadState.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { type PlanChange, planChanges } from './planFacts.ts';

interface Props {
  record: RunRecord;
  onStarted: (runId: string) => void;
  onClose: () => void;
}

/** What another run of the plan would be, and how it differs from this one, before it starts. */
export function RunAgainSheet({ record, onStarted, onClose }: Props) {
  const plans = usePlanListQuery({}).data;
  const testbeds = useTestbedListQuery({}).data;
  const profiles = useProfileListQuery({}).data;
  const { start, busy, problem } = useLaunch(record.plan.id, onStarted);
  if (plans === undefined || testbeds === undefined || profiles === undefined)
    return (
      <Dialog onClose={onClose} title="Run again">
        <Pending label="plan" rows={3} />
      </Dialog>
    );
  const plan = plans.find((one) => one.id === record.plan.id);
  const testbed = testbeds.find((one) => one.id === plan?.testbedId);
  const profile = profiles.find((one) => one.id === plan?.profileId);
  if (plan === undefined || testbed === undefined || profile === undefined)
    return (
      <Dialog onClose={onClose} title="Run again">
        <Text size="sm">
          {`The ${plan === undefined ? 'plan' : testbed === undefined ? 'testbed' : 'profile'} of this run does not exist any more.`}
        </Text>
      </Dialog>
    );
  return (
    <Dialog onClose={onClose} title={`Run again: ${plan.name}`} size="lg">
      <Stack gap="sm">
        <Text size="sm">
          {`${plan.tiles === 1 ? '1 tile' : `${plan.tiles} tiles`} on ${testbed.name}, ${formatElapsed(planDurationS(plan.phases) * 1_000)} of load.`}
        </Text>
        <Changes
          changes={planChanges(record, { plan, testbed, profile })}
          name={record.overview.name}
        />
        {problem !== null && <Problem {...problem} />}
        <DialogFoot apart>
          <Button variant="subtle" component={Link} to={`/plans/${plan.id}`}>
            Edit the plan
          </Button>
          <Button
            variant="filled"
            loading={busy}
            data-autofocus
            leftSection={<IconRefresh size={14} aria-hidden />}
            title="Checks the plan as it is now, then launches it"
            onClick={() => void start()}
          >
            Check and launch
          </Button>
        </DialogFoot>
      </Stack>
    </Dialog>
  );
}

function Changes({ changes, name }: { changes: readonly PlanChange[]; name: string }) {
  if (changes.length === 0) return <Text size="sm">{`Same as ${name}.`}</Text>;
  return (
    <div>
      <Text size="sm" mb={4}>{`Same as ${name}, except:`}</Text>
      <Table aria-label="What differs" fz="sm" verticalSpacing={3}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>{name}</Table.Th>
            <Table.Th>Next run</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ label, then, now }) => (
            <Table.Tr key={label}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td c={dim}>{then}</Table.Td>
              <Table.Td>{now}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface LaunchProblem {
  findings: readonly CheckFinding[];
  error: AppErrorShape | null;
}

/** Checks the plan as it is now and launches it when nothing blocks; otherwise says what blocks. */
function useLaunch(
  planId: string,
  onStarted: (runId: string) => void,
): { start: () => Promise<void>; busy: boolean; problem: LaunchProblem | null } {
  const send = useSendCommand();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<LaunchProblem | null>(null);
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
  return { start, busy, problem };
}

function Problem({ findings, error }: LaunchProblem) {
  return (
    <Stack gap={4} role="alert">
      <Text size="sm" fw={600}>
        Not started
      </Text>
      {error !== null && (
        <Text size="sm">{`${error.message}${error.hint ? ` ${error.hint}` : ''}`}</Text>
      )}
      {findings.map((f) => (
        <Text
          key={`${f.id} ${f.title}`}
          size="sm"
        >{`${f.title}: ${f.evidence}${f.fix ? ` ${f.fix}` : ''}`}</Text>
      ))}
    </Stack>
  );
}
