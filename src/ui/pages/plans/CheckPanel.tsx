import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';

import {
  type CheckFinding,
  type CheckProgress,
  type CheckReport,
  findingKey,
  type Plan,
} from '../../../core/plan/plan.ts';
import { parameterAddress } from '../../addresses/parameterAddress.ts';
import { usePlanWaiveMutation } from '../../engine/api.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Failure } from '../../kit/LoadState.tsx';
import { StateMark, type StateTone } from '../../kit/StateMark.tsx';
import { dim } from '../../kit/tones.ts';
import { CheckFindings, countWords } from './CheckFindings.tsx';
import { needsAttention } from './findingGroups.ts';
import type { PlanCheck } from './usePlanCheck.ts';
import { usePowerOn } from './usePowerOn.tsx';
import { WaiveDialog } from './WaiveDialog.tsx';

interface Props {
  plan: Pick<Plan, 'id' | 'testbedId'>;
  check: PlanCheck;
  /** The plan on screen is not the one that was checked. */ stale: boolean;
  onCheck: () => void;
  /** A waiver was kept: the plan has a new version. */ onPlan: (plan: Plan) => void;
}

/**
 * The pre-flight on the page of its plan: nothing yet, under way, failed, as it is, or of an older
 * state of the plan.
 */
export function CheckPanel({ plan, check, stale, onCheck, onPlan }: Props) {
  const [waiving, setWaiving] = useState<readonly CheckFinding[]>([]);
  const [waive, saving] = usePlanWaiveMutation();
  const { ask, busy } = usePowerOn(plan.testbedId, onCheck);
  const { report, progress, checking, error } = check;
  const keep = async (
    findings: readonly CheckFinding[],
    reason: string | null,
  ): Promise<boolean> => {
    const result = await waive({ id: plan.id, keys: findings.map(findingKey), reason });
    if (result.error) return false;
    onPlan(result.data.plan);
    check.take(result.data.report);
    return true;
  };
  const old = stale || report?.stale === true;
  const actions = {
    repeating: check.repeating,
    repeat: (checkId: string) => void check.repeat(checkId),
    waive: setWaiving,
    unwaive: (findings: readonly CheckFinding[]) => void keep(findings, null),
    fieldOf: (at: NonNullable<CheckFinding['at']>) =>
      parameterAddress(plan.testbedId, { ...at, planId: plan.id }),
    powerOn: ask,
    powering: busy,
  };
  return (
    <Stack gap="sm" component="section" aria-label="Check">
      {error && <Failure title="The check could not be made" error={error} onRetry={onCheck} />}
      {checking ? (
        <Running progress={progress} onCancel={check.cancel} />
      ) : report ? (
        <>
          <Headline report={report} old={old} />
          {old && (
            <Alert color="orange" title="The plan changed since this check" p="xs">
              Plan, testbed, profile or a connection was edited. The findings below are of the state
              before; launch needs a new check.
            </Alert>
          )}
          <CheckFindings
            findings={report.findings}
            checks={report.checks}
            actions={old ? null : actions}
          />
        </>
      ) : (
        !error && (
          <Text size="sm" c={dim}>
            Not checked yet. A launch needs a check of exactly this plan and testbed.
          </Text>
        )
      )}
      <WaiveDialog
        planId={plan.id}
        findings={waiving}
        busy={saving.isLoading}
        onClose={() => setWaiving([])}
        onWaive={(reason) => keep(waiving, reason)}
      />
    </Stack>
  );
}

/** Whether the plan may be launched, and what the check counted. */
function Headline({ report, old }: { report: CheckReport; old: boolean }) {
  const [tone, word]: [StateTone, string] = old
    ? ['warn', 'Checked before the last edit']
    : report.ready
      ? ['ok', 'Ready to launch']
      : ['bad', 'Not ready'];
  return (
    <Group gap="sm" role="status" aria-label="State of the check">
      <StateMark tone={tone} word={word} />
      <Text span size="sm">
        {countWords(report.findings)}
      </Text>
      <Text span size="sm" c={dim}>{`checked ${formatDateTime(report.atMs)}`}</Text>
    </Group>
  );
}

/** How far the check is, what it waits for, and what it found so far. */
function Running({ progress, onCancel }: { progress: CheckProgress | null; onCancel: () => void }) {
  const done = progress?.done ?? 0;
  const total = progress?.total ?? 0;
  const waiting = progress?.running.map((one) => one.title) ?? [];
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} role="status">
          {total === 0
            ? 'The check begins'
            : `${done} of ${total} checks ` +
              `made${progress && progress.findings.length > 0 ? `: ${countWords(progress.findings)}` : ''}`}
        </Text>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          Cancel check
        </Button>
      </Group>
      <Progress
        value={total === 0 ? 0 : (100 * done) / total}
        aria-label="Checks made"
        transitionDuration={0}
      />
      {waiting.length > 0 && (
        <Text size="xs" c={dim} lineClamp={2}>
          {'Waiting for: ' +
            `${waiting.slice(0, 6).join('; ')}${waiting.length > 6 ? ` and ${waiting.length - 6} more` : ''}`}
        </Text>
      )}
      {progress?.findings.some(needsAttention) && (
        <CheckFindings findings={progress.findings} actions={null} />
      )}
    </Stack>
  );
}
