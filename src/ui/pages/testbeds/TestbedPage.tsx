import { Badge, Button, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import {
  useConnectionListQuery,
  useInventoryGetQuery,
  useProfileListQuery,
  useTestbedListQuery,
  useTestbedSaveMutation,
} from '../../engine/api.ts';
import { draftDropped, drafted, useAppDispatch, useAppStore } from '../../engine/store.ts';
import { newId } from '../../kit/connectionWords.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { Designer, SettingsPanel, useEdits } from '../designer/index.ts';
import { ProvisionPanel } from '../provision/index.ts';
import { TestbedMenu } from '../testbedLife/index.ts';
import { BasicsForm } from './BasicsForm.tsx';
import { FillHelpers } from './FillHelpers.tsx';
import { InfrastructureForm } from './InfrastructureForm.tsx';
import { InventoryView } from './InventoryView.tsx';
import { problems } from './layout.ts';
import { LayoutTable } from './LayoutTable.tsx';
import { NewerVersion } from './NewerVersion.tsx';
import { sameTestbed } from './sameContent.ts';

/** One testbed: its layout, what belongs to it, and the inventory it is built from. */
export function TestbedPage() {
  const { id = 'new' } = useParams();
  const { data, error, refetch } = useTestbedListQuery({});
  if (error)
    return (
      <Failure
        title="The testbed cannot be read"
        error={error as AppErrorShape}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <Pending label="testbed" />;
  const stored = data.find((testbed) => testbed.id === id);
  if (!stored && id !== 'new') return <Nothing text="This testbed does not exist." />;
  return <TestbedEditor key={id} stored={stored} />;
}

const none: readonly never[] = [];

function TestbedEditor({ stored }: { stored: Testbed | undefined }) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const form = `testbed ${stored?.id ?? 'new'}`;
  const store = useAppStore();
  // Read once: it follows what is edited here, and must not draw the page again after each edit.
  const [draft] = useState(() => store.getState().drafts[form] as Testbed | undefined);
  const { data: connections = none } = useConnectionListQuery({});
  const { data: profiles = none } = useProfileListQuery({});
  const [blank] = useState((): Testbed => ({
    id: newId('testbed'),
    name: '',
    version: 0,
    profileId: '',
    vcenterId: null,
    powerIds: [],
    tiles: [],
    notes: '',
  }));
  const [tab, setTab] = useState<string | null>(stored ? 'layout' : 'settings');
  const start = stored ?? blank;
  const edits = useEdits(draft ?? start);
  /**
   * What was loaded or saved last; null = a draft of an earlier visit, whose beginning is not
   * known.
   */
  const [base, setBase] = useState(draft ? null : start);
  const { testbed } = edits;
  const edited = useMemo(() => !sameTestbed(testbed, start), [testbed, start]);
  // A new one that is saved has a page of its own: what stands here is no draft any more.
  const moved = stored === undefined && testbed.version > 0;
  const [save, saving] = useTestbedSaveMutation();
  const { data: inventory = null } = useInventoryGetQuery(
    { vcenterId: testbed.vcenterId ?? '' },
    { skip: testbed.vcenterId === null },
  );
  useEffect(() => {
    dispatch(edited && !moved ? drafted({ form, values: testbed }) : draftDropped(form));
  }, [edited, moved, dispatch, form, testbed]);
  const clients = useMemo(() => connections.filter((c) => c.kind === 'client'), [connections]);
  const vcenters = useMemo(() => connections.filter((c) => c.kind === 'vcenter'), [connections]);
  const newer = stored !== undefined && stored.version > testbed.version;
  // What provisioning or another window saved is shown at once where nothing was changed here since
  // the last save.
  const follows = newer && base !== null && sameTestbed(testbed, base);
  if (follows) {
    edits.replace(stored);
    setBase(stored);
  }

  const profile = profiles.find((p) => p.id === testbed.profileId);
  const missing = problems(testbed, profile, connections);
  const change =
    (label: string) =>
    (changed: Testbed): void =>
      edits.apply({ label, testbed: changed });
  const submit = async (): Promise<void> => {
    const saved = await save(testbed);
    if (saved.error) return;
    dispatch(draftDropped(form));
    edits.stamp(saved.data);
    setBase(saved.data);
    notifications.show({
      color: 'green',
      message: `${saved.data.name} saved as version ${saved.data.version}.`,
    });
    if (!stored) void navigate(`/testbeds/${saved.data.id}`, { replace: true });
  };
  const settings = (
    <Button size="xs" onClick={() => setTab('settings')}>
      Choose a profile
    </Button>
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap={8}>
        <Group gap="sm">
          <Title order={1}>{testbed.name || 'New testbed'}</Title>
          {stored && <Text size="sm" c="dimmed">{`version ${testbed.version}`}</Text>}
          {edited && (
            <Badge variant="filled" color="orange.9" tt="none">
              Not saved
            </Badge>
          )}
        </Group>
        <Group gap={8}>
          {stored && (
            <Button
              variant="default"
              onClick={() => void navigate(`/plans/new?testbed=${testbed.id}`)}
            >
              Plan a run
            </Button>
          )}
          <Button
            disabled={missing.length > 0 || !edited || newer}
            loading={saving.isLoading}
            onClick={() => void submit()}
          >
            Save testbed
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
      {newer && !follows && (
        <NewerVersion
          stored={stored}
          began={testbed.version}
          onTake={() => {
            dispatch(draftDropped(form));
            edits.replace(stored);
            setBase(stored);
          }}
          onKeep={() => edits.stamp(stored)}
        />
      )}
      {missing.length > 0 && edited && (
        <Text size="sm" role="status">
          {'Before it can be saved: ' +
            `${missing.slice(0, 3).join(' ')}${missing.length > 3 ? ` And ${missing.length - 3} more.` : ''}`}
        </Text>
      )}
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="layout">Layout</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="provision">Provision</Tabs.Tab>
          <Tabs.Tab value="inventory">Inventory</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="layout" pt="sm">
          {!profile ? (
            <Nothing
              text={
                'A profile says which workloads a tile holds. With one chosen, the tiles ' +
                'appear here: their VMs on hosts and LUNs.'
              }
              action={settings}
            />
          ) : (
            <Designer
              edits={edits}
              profile={profile}
              inventory={inventory}
              clients={clients}
              table={
                <Stack gap="md">
                  <FillHelpers
                    testbed={testbed}
                    inventory={inventory}
                    clientIds={clients.map((c) => c.id)}
                    onChange={change('Fill the table')}
                  />
                  <LayoutTable
                    testbed={testbed}
                    profile={profile}
                    inventory={inventory}
                    clients={clients}
                    onChange={change('Edit the table')}
                  />
                </Stack>
              }
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="settings" pt="md">
          <Stack gap="md">
            <BasicsForm
              testbed={testbed}
              profiles={profiles}
              connections={connections}
              onChange={(label, changed) => edits.apply({ label, testbed: changed })}
            />
            {profile && clients.length === 0 && (
              <Nothing
                text="No client machine is connected yet: workloads need one to run on."
                action={
                  <Button size="xs" onClick={() => void navigate('/connections')}>
                    Add client machines
                  </Button>
                }
              />
            )}
            {profile && (
              <SettingsPanel
                testbed={testbed}
                profile={profile}
                inventory={inventory}
                onApply={edits.apply}
              />
            )}
            {profile?.scoring.infrastructure && testbed.tiles.length > 0 && (
              <InfrastructureForm
                testbed={testbed}
                rule={profile.scoring.infrastructure}
                inventory={inventory}
                onChange={change('Change infrastructure operations')}
              />
            )}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="provision" pt="md">
          <ProvisionPanel testbedId={testbed.id} edited={edited} />
        </Tabs.Panel>
        <Tabs.Panel value="inventory" pt="md">
          <InventoryView
            vcenters={vcenters}
            vcenterId={testbed.vcenterId}
            onChoose={(vcenterId) =>
              edits.apply({ label: 'Choose the vCenter', testbed: { ...testbed, vcenterId } })
            }
          />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
