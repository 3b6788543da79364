import { Anchor, Button, CopyButton, Group, Stack } from '@mantine/core';
import { IconArrowRight, IconCopy, IconPower, IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router';

import { canWaive } from '../../../core/plan/checkReport.ts';
import type { CheckFinding } from '../../../core/plan/plan.ts';
import type { NamedRef } from '../../../core/testbed/testbed.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import classes from './check.module.css';
import { needsAttention } from './findingGroups.ts';

/**
 * What can be done with a finding of the plan as it is now; null for findings of a check under way
 * or of an older plan.
 */
export interface FindingActions {
  repeating: string | null;
  repeat: (checkId: string) => void;
  /** Several get one reason. */
  waive: (findings: readonly CheckFinding[]) => void;
  unwaive: (findings: readonly CheckFinding[]) => void;
  /** The address of the field that has to be corrected. */
  fieldOf: (at: NonNullable<CheckFinding['at']>) => string;
  /** Asks whether these VMs are to be powered on. */
  powerOn: (vms: readonly NamedRef[]) => void;
  /** They are being powered on. */ powering: boolean;
}

/**
 * All of one finding: what was read and from where, what to do, a command to copy, and its buttons.
 */
export function FindingDetails({
  finding,
  actions,
}: {
  finding: CheckFinding;
  actions: FindingActions | null;
}) {
  const { evidence, source, fix, command, waived, id, runId } = finding;
  return (
    <Stack gap="xs">
      <dl className={classes.facts}>
        <dt>What was read</dt>
        <dd>{evidence}</dd>
        {source && (
          <>
            <dt>From</dt>
            <dd>{source}</dd>
          </>
        )}
        {fix && (
          <>
            <dt>What to do</dt>
            <dd>{fix}</dd>
          </>
        )}
        {command && (
          <>
            <dt>Command</dt>
            <dd>
              <Group gap={8} wrap="wrap">
                <code className={classes.command}>{command}</code>
                <Copy text={command} />
              </Group>
            </dd>
          </>
        )}
        {waived && (
          <>
            <dt>Waived</dt>
            <dd>{`${waived.reason} (${formatDateTime(waived.atMs)})`}</dd>
          </>
        )}
        {finding.severity === 'block' && finding.waivable === false && (
          <>
            <dt>Waiver</dt>
            <dd>Not possible: a run cannot be made with it.</dd>
          </>
        )}
        {runId && (
          <>
            <dt>Run</dt>
            <dd>
              <Anchor component={Link} to={`/runs/${runId}`} size="sm">
                Open the run
              </Anchor>
            </dd>
          </>
        )}
        <dt>Technical</dt>
        <dd>
          <details>
            <summary>Name in the guide</summary>
            <span className="mono">{id}</span>
          </details>
        </dd>
      </dl>
      {actions && <Actions finding={finding} actions={actions} />}
    </Stack>
  );
}

/** What mends a finding first, then what looks again or lives with it. */
function Actions({ finding, actions }: { finding: CheckFinding; actions: FindingActions }) {
  const { waived, checkId, at, off } = finding;
  const bad = needsAttention(finding);
  return (
    <Group gap={8}>
      {at && bad && (
        <Button
          component={Link}
          to={actions.fieldOf(at)}
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowRight size={14} aria-hidden />}
        >
          {at.parameter === null ? 'Go to VM' : 'Go to parameter'}
        </Button>
      )}
      {off && bad && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPower size={14} aria-hidden />}
          loading={actions.powering}
          onClick={() => actions.powerOn([off])}
        >
          Power on…
        </Button>
      )}
      {checkId && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={actions.repeating === checkId}
          disabled={actions.repeating !== null}
          onClick={() => actions.repeat(checkId)}
        >
          Check this again
        </Button>
      )}
      {canWaive(finding) && !waived && (
        <Button size="compact-sm" variant="default" onClick={() => actions.waive([finding])}>
          Waive with a reason
        </Button>
      )}
      {waived && (
        <Button size="compact-sm" variant="default" onClick={() => actions.unwaive([finding])}>
          Take the waiver back
        </Button>
      )}
    </Group>
  );
}

function Copy({ text }: { text: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconCopy size={12} aria-hidden />}
          onClick={copy}
        >
          {copied ? 'Copied' : 'Copy command'}
        </Button>
      )}
    </CopyButton>
  );
}
