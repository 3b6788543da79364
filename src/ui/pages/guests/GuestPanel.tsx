import { Button, Stack } from '@mantine/core';
import { useState } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { type GuestPlan, isPreparing } from '../../../core/roles/job.ts';
import {
  useConnectionListQuery,
  useGuestBundlesQuery,
  useGuestCancelMutation,
  useGuestPlanQuery,
  useGuestRetryMutation,
  useGuestStartMutation,
  useGuestStatusQuery,
} from '../../engine/api.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { ChoicePart } from './ChoicePart.tsx';
import { CloudInitDialog } from './CloudInitDialog.tsx';
import { JobPart } from './JobPart.tsx';
import { PutBackQuestion } from './PutBackQuestion.tsx';
import { useGuestDraft } from './useGuestDraft.ts';
import type { Choice } from './words.ts';

/**
 * Prepares the machines under load for their roles: what would be done to which, how far it is, and
 * the way back. It goes on when one leaves the page.
 */
export function GuestPanel({ testbedId }: { testbedId: string }) {
  const plan = useGuestPlanQuery({ testbedId });
  const status = useGuestStatusQuery({ testbedId });
  const error = plan.error ?? status.error;
  if (error)
    return (
      <Failure
        title="The guests cannot be read"
        error={error as AppErrorShape}
        onRetry={() => {
          void plan.refetch();
          void status.refetch();
        }}
      />
    );
  if (!plan.data || status.isLoading) return <Pending label="guests" />;
  if (plan.data.items.length === 0)
    return <Nothing text="The testbed has no tiles yet: lay them out and save it first." />;
  return <Panel plan={plan.data} />;
}

function Panel({ plan }: { plan: GuestPlan }) {
  const { testbedId } = plan;
  const { data: job = null } = useGuestStatusQuery({ testbedId });
  const running = job !== null && isPreparing(job);
  const { draft, choose, setMirror, setBundle } = useGuestDraft(testbedId);
  const choices = useChoices(plan, draft.chosen);
  const [start, starting] = useGuestStartMutation();
  const [cancel, cancelling] = useGuestCancelMutation();
  const [retry, retrying] = useGuestRetryMutation();
  const mirror = draft.mirror ?? job?.settings.mirror ?? '';
  const { data: bundles = [] } = useGuestBundlesQuery({});
  const wanted = draft.bundle ?? job?.settings.bundle ?? '';
  const bundle = bundles.find(({ sha256 }) => sha256 === wanted) ?? null;
  const [asked, setAsked] = useState<'putBack' | 'cloudInit' | null>(null);
  const begin = (purpose: 'prepare' | 'undo'): void => {
    setAsked(null);
    void start({
      testbedId,
      purpose,
      choices: purpose === 'prepare' ? choices.ready : choices.prepared,
      settings: { mirror: mirror.trim(), bundle: bundle?.sha256 ?? '' },
    });
  };
  return (
    <Stack gap="lg" component="section" aria-label="Guests">
      {job !== null && (
        <JobPart
          job={job}
          busy={cancelling.isLoading || retrying.isLoading}
          onCancel={() => void cancel({ testbedId })}
          onRetry={() => void retry({ testbedId })}
        />
      )}
      {asked === 'putBack' && !running && (
        <PutBackQuestion
          plan={plan}
          choices={choices.prepared}
          onKeep={() => setAsked(null)}
          onPutBack={() => begin('undo')}
        />
      )}
      {asked === 'cloudInit' && (
        <CloudInitDialog mirror={mirror.trim()} onClose={() => setAsked(null)} />
      )}
      {!running && (
        <ChoicePart
          plan={plan}
          choiceOf={choices.of}
          onChoose={choose}
          ready={choices.ready.length}
          mirror={mirror}
          onMirror={setMirror}
          bundles={bundles}
          bundle={bundle}
          onBundle={setBundle}
          starting={starting.isLoading}
          first={job === null || job.state === 'done'}
          onStart={() => begin('prepare')}
          more={
            <>
              <Button size="xs" variant="default" onClick={() => setAsked('cloudInit')}>
                Show cloud-init text
              </Button>
              {choices.prepared.length > 0 && asked !== 'putBack' && (
                <Button size="xs" variant="default" onClick={() => setAsked('putBack')}>
                  {`Put ${choices.prepared.length} back`}
                </Button>
              )}
            </>
          }
        />
      )}
    </Stack>
  );
}

/** What somebody chose, over what is proposed. */
function useChoices(plan: GuestPlan, chosen: ReturnType<typeof useGuestDraft>['draft']['chosen']) {
  const { data: connections = [] } = useConnectionListQuery({});
  const there = new Set(connections.map(({ id }) => id));
  const of = (key: string): Choice => {
    const item = plan.items.find((one) => one.key === key);
    const { roleId = null, connectionId = null } = { ...item, ...chosen[key] };
    return {
      roleId,
      connectionId: connectionId !== null && there.has(connectionId) ? connectionId : null,
    };
  };
  const complete = (key: string, roleId: string | null) => {
    const { connectionId } = of(key);
    return roleId === null || connectionId === null ? [] : [{ key, roleId, connectionId }];
  };
  return {
    of,
    ready: plan.items.flatMap(({ key }) => complete(key, of(key).roleId)),
    prepared: plan.items.flatMap(({ key, preparedAs }) => complete(key, preparedAs)),
  };
}
