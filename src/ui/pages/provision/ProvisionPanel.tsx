import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import {
  isProvisioning,
  layoutOf,
  type ProvisionItem,
  type ProvisionJob,
  type ProvisionOptions,
} from '../../../core/testbed/provision.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import {
  useProvisionCancelMutation,
  useProvisionCleanUpMutation,
  useProvisionPlanQuery,
  useProvisionRetryMutation,
  useProvisionStartMutation,
  useProvisionStatusQuery,
  useTestbedListQuery,
} from '../../engine/api.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import { CleanUpQuestion } from './CleanUp.tsx';
import { JobView } from './JobView.tsx';
import { PlanPreview } from './PlanPreview.tsx';

interface Props {
  testbedId: string;
  /** The page holds changes that are not saved: provisioning works on what is saved. */ edited?: boolean;
}

/**
 * Makes the VMs a testbed lacks: what would be made, the job, and the removal of what was made. It
 * goes on when one leaves the page.
 */
export function ProvisionPanel({ testbedId, edited = false }: Props) {
  const { data: testbeds, error, refetch } = useTestbedListQuery({});
  const testbed = testbeds?.find((one) => one.id === testbedId);
  if (error)
    return (
      <Failure
        title="The testbed cannot be read"
        error={error as AppErrorShape}
        onRetry={() => void refetch()}
      />
    );
  if (!testbeds) return <Pending label="provisioning" />;
  if (!testbed)
    return (
      <Nothing text="Save the testbed first: VMs that it lacks are then made here from templates." />
    );
  if (testbed.vcenterId === null)
    return (
      <Nothing text="The testbed has no vCenter: choose one, and VMs that it lacks can be made here from templates." />
    );
  return <Panel testbed={testbed} edited={edited} />;
}

function Panel({ testbed, edited }: { testbed: Testbed; edited: boolean }) {
  const testbedId = testbed.id;
  const [asked, setAsked] = useState(false);
  const status = useProvisionStatusQuery({ testbedId });
  const job = status.data ?? null;
  const running = job !== null && isProvisioning(job);
  const missing = useMissing(testbedId, running || status.isLoading);
  const [cancel, cancelling] = useProvisionCancelMutation();
  const [retry, retrying] = useProvisionRetryMutation();
  const [cleanUp, cleaning] = useProvisionCleanUpMutation();
  const { made } = layoutOf(testbed);
  const removable = !running && (made.length > 0 || (job !== null && unmadeOf(job).length > 0));
  const cleanUpButton = removable && !asked && (
    <Button size="xs" variant="default" loading={cleaning.isLoading} onClick={() => setAsked(true)}>
      Clean up
    </Button>
  );

  if (status.error)
    return (
      <Failure
        title="Provisioning cannot be read"
        error={status.error as AppErrorShape}
        onRetry={() => void status.refetch()}
      />
    );
  if (status.isLoading) return <Pending label="provisioning" />;
  return (
    <Stack gap="lg" component="section" aria-label="Provisioning">
      {job !== null && (
        <JobView
          job={job}
          busy={cancelling.isLoading || retrying.isLoading}
          actions={cleanUpButton}
          onCancel={() => void cancel({ testbedId })}
          onRetry={() => void retry({ testbedId })}
        />
      )}
      {job === null && cleanUpButton}
      {asked && removable && (
        <CleanUpQuestion
          made={made}
          onKeep={() => setAsked(false)}
          onRemove={() => {
            setAsked(false);
            void cleanUp({ testbedId });
          }}
        />
      )}
      {!running && <Missing missing={missing} job={job} edited={edited} />}
    </Stack>
  );
}

/** What a job did not make. */
const unmadeOf = (job: ProvisionJob): ProvisionItem[] =>
  job.items.filter(({ step }) => step === 'failed' || step === 'cancelled');

/** What would be made now, and the making of it. Asked as long as nothing is being made. */
function useMissing(testbedId: string, skip: boolean) {
  const [options, setOptions] = useState<ProvisionOptions>({
    powerOn: true,
    stageSize: 4,
    stagePauseS: 30,
  });
  const plan = useProvisionPlanQuery({ testbedId, powerOn: options.powerOn }, { skip });
  const [start, starting] = useProvisionStartMutation();
  const [anew, setAnew] = useState(false);
  return {
    plan,
    options,
    setOptions,
    start: () => void start({ testbedId, options }),
    starting: starting.isLoading,
    /** What a retry would make was asked to be planned anew. */ anew,
    planAnew: () => setAnew(true),
  };
}

/** What is missing: planned, left to a retry of the job before, or nothing. */
function Missing({
  missing: { plan, options, setOptions, start, starting, anew, planAnew },
  job,
  edited,
}: {
  missing: ReturnType<typeof useMissing>;
  job: ProvisionJob | null;
  edited: boolean;
}) {
  if (plan.error)
    return (
      <Failure
        title="vCenter cannot be asked"
        error={plan.error as AppErrorShape}
        onRetry={() => void plan.refetch()}
      />
    );
  if (!plan.data) return <Pending label="what is missing" />;
  const { items } = plan.data;
  if (items.length === 0 && job !== null)
    return (
      <Text size="sm" c={dim}>
        Every workload has its VM.
      </Text>
    );
  // The same VMs would stand there twice: once to be retried, once to be planned.
  const unmade = new Set(job?.purpose === 'make' ? unmadeOf(job).map(({ key }) => key) : []);
  if (!anew && items.length > 0 && items.every(({ key }) => unmade.has(key)))
    return (
      <Group gap={8}>
        <Text size="sm" c={dim}>
          A retry makes what is left where it was planned.
        </Text>
        <Button size="xs" variant="default" onClick={planAnew}>
          Plan what is left anew
        </Button>
      </Group>
    );
  return (
    <PlanPreview
      plan={plan.data}
      options={options}
      onOptions={setOptions}
      starting={starting}
      refreshing={plan.isFetching}
      hindrance={
        edited
          ? 'There are changes that are not saved. Save the testbed first: VMs are made as the ' +
            'saved layout says.'
          : null
      }
      onRefresh={() => void plan.refetch()}
      onStart={start}
    />
  );
}
