import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useId, useMemo } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { parameterSearch, parametersOf } from '../../addresses/parameterAddress.ts';
import {
  useConnectionListQuery,
  useInventoryGetQuery,
  useProfileListQuery,
  useTestbedListQuery,
} from '../../engine/api.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { usePageActions } from '../../kit/pageActions.ts';
import { usePageObject } from '../../kit/pageObject.ts';
import { dim } from '../../kit/tones.ts';
import { TestbedMenu } from '../testbedLife/index.ts';
import { problems } from './layout.ts';
import { NewerVersion } from './NewerVersion.tsx';
import { ParametersPanel } from './ParametersPanel.tsx';
import { type Surroundings, TestbedTabs } from './TestbedTabs.tsx';
import { type Beginnings, type TestbedDraft, useTestbedDraft } from './useTestbedDraft.ts';

/** One testbed: its layout, what belongs to it, and the inventory it is built from. */
export function TestbedPage() {
  const { id = 'new' } = useParams();
  const { data, error, refetch } = useTestbedListQuery({});
  const connections = useConnectionListQuery({});
  if (error ?? connections.error)
    return (
      <Failure
        title="The testbed cannot be read"
        error={(error ?? connections.error) as AppErrorShape}
        onRetry={() => {
          void refetch();
          void connections.refetch();
        }}
      />
    );
  if (!data || !connections.data) return <Pending label="testbed" />;
  const stored = data.find((testbed) => testbed.id === id);
  if (!stored && id !== 'new') return <Nothing text="This testbed does not exist." />;
  return (
    <TestbedEditor
      key={id}
      stored={stored}
      beginnings={{ testbeds: data, connections: connections.data }}
    />
  );
}

const none: readonly never[] = [];

/** The parameters that the address has open, and what opens and closes them. */
function useOpenParameters() {
  const [search, setSearch] = useSearchParams();
  return {
    shown: parametersOf(search),
    open: (tile: number, workloadId: string) =>
      setSearch(parameterSearch({ tile, workloadId, parameter: null, planId: null })),
    close: () => setSearch({}, { replace: true }),
  };
}

function useSurroundings(vcenterId: string | null): Surroundings {
  const { data: connections = none } = useConnectionListQuery({});
  const { data: profiles = none } = useProfileListQuery({});
  const { data: inventory = null } = useInventoryGetQuery(
    { vcenterId: vcenterId ?? '' },
    { skip: vcenterId === null },
  );
  const clients = useMemo(() => connections.filter((c) => c.kind === 'client'), [connections]);
  const vcenters = useMemo(() => connections.filter((c) => c.kind === 'vcenter'), [connections]);
  return { profiles, connections, clients, vcenters, inventory };
}

function TestbedEditor({
  stored,
  beginnings,
}: {
  stored: Testbed | undefined;
  beginnings: Beginnings;
}) {
  const draft = useTestbedDraft(stored, beginnings);
  const { edits, edited } = draft;
  const { testbed } = edits;
  const lab = useSurroundings(testbed.vcenterId);
  const profile = lab.profiles.find((p) => p.id === testbed.profileId);
  const missing = problems(testbed, profile, lab.connections);
  const parameters = useOpenParameters();
  return (
    <Stack gap="sm">
      <TestbedHead stored={stored} draft={draft} missing={missing} />
      {stored && draft.clashes && (
        <NewerVersion
          stored={stored}
          began={testbed.version}
          onTake={draft.takeStored}
          onKeep={() => edits.stamp(stored)}
        />
      )}
      <TestbedTabs
        edits={edits}
        profile={profile}
        lab={lab}
        onParameters={parameters.open}
        isNew={stored === undefined}
        edited={edited}
      />
      {parameters.shown && profile && (
        <ParametersPanel
          key={parameterSearch(parameters.shown)}
          place={parameters.shown}
          draft={draft}
          profile={profile}
          inventory={lab.inventory}
          incomplete={missing[0] ?? null}
          onClose={parameters.close}
        />
      )}
    </Stack>
  );
}

/** Which testbed it is, whether it is saved, and what can be done with it. */
function TestbedHead({
  stored,
  draft,
  missing,
}: {
  stored: Testbed | undefined;
  draft: TestbedDraft;
  /** What it lacks to be saved, as sentences. */ missing: readonly string[];
}) {
  const navigate = useNavigate();
  const whyId = useId();
  const { edits, edited } = draft;
  const { testbed } = edits;
  const lacking = lackingWords(draft, stored, missing);
  const saved = lacking === null && !edited;
  const canSave = lacking === null && edited;
  const save = { id: 'save', title: 'Save testbed', run: () => void draft.save() };
  const plan = {
    id: 'plan',
    title: 'Plan a run',
    run: () => void navigate(`/plans/new?testbed=${testbed.id}`),
  };
  usePageActions([...(canSave ? [save] : []), ...(stored ? [plan] : [])]);
  usePageObject({
    name: testbed.name || 'New testbed',
    rename: (name) => edits.apply({ label: 'Rename the testbed', testbed: { ...testbed, name } }),
  });
  return (
    <Stack gap={8}>
      <Group justify="space-between" gap={8}>
        <Group gap="sm">
          <Title order={1}>{testbed.name || 'New testbed'}</Title>
          {stored && (
            <Text size="sm" c={dim} id={saved ? whyId : undefined}>
              {`version ${testbed.version}${saved ? ', nothing to save' : ''}`}
            </Text>
          )}
          {edited && (
            <Badge variant="filled" color="orange.9" tt="none">
              Not saved
            </Badge>
          )}
        </Group>
        <Group gap={8}>
          {stored && (
            <Button variant="default" onClick={plan.run}>
              {plan.title}
            </Button>
          )}
          <Button
            disabled={!canSave}
            loading={draft.saving}
            onClick={save.run}
            aria-describedby={canSave ? undefined : whyId}
          >
            {save.title}
          </Button>
          {stored && (
            <TestbedMenu
              testbed={stored}
              edited={edited}
              onRestored={(restored) => edits.replace(restored)}
            />
          )}
        </Group>
      </Group>
      {lacking !== null && (
        <Text id={whyId} size="sm" role="status">
          {lacking}
        </Text>
      )}
    </Stack>
  );
}

/** What has to be done before it can be saved; null = nothing. */
function lackingWords(
  { newer }: TestbedDraft,
  stored: Testbed | undefined,
  missing: readonly string[],
): string | null {
  if (missing.length > 0)
    return (
      `Before it can be saved: ${missing.slice(0, 3).join(' ')}` +
      (missing.length > 3 ? ` And ${missing.length - 3} more.` : '')
    );
  if (newer)
    return `Before it can be saved: version ${stored?.version} was saved meanwhile; choose which to keep.`;
  return null;
}
