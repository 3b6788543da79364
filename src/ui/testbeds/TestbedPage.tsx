import { Badge, Button, Group, MultiSelect, Select, Stack, Tabs, Text, TextInput, Title, NumberInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { AppErrorShape } from '../../shared/errors.ts';
import type { Testbed } from '../../shared/testbed.ts';
import { newId } from '../connections/connectionWords.ts';
import { useConnectionListQuery, useInventoryGetQuery, useProfileListQuery, useTestbedListQuery, useTestbedSaveMutation } from '../main/api.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../main/store.ts';
import { Failure, Nothing, Pending } from '../runs/LoadState.tsx';
import { InfrastructureForm } from './InfrastructureForm.tsx';
import { InventoryView } from './InventoryView.tsx';
import { problems, withTiles } from './layout.ts';
import { LayoutTable } from './LayoutTable.tsx';
import { FillHelpers } from './FillHelpers.tsx';

/** One testbed: its layout and the inventory it is built from. */
export function TestbedPage() {
  const { id = 'new' } = useParams();
  const { data, error, refetch } = useTestbedListQuery({});
  if (error) return <Failure title="The testbed cannot be read" error={error as AppErrorShape} onRetry={() => void refetch()} />;
  if (!data) return <Pending label="testbed" />;
  const stored = data.find((testbed) => testbed.id === id);
  if (!stored && id !== 'new') return <Nothing text="This testbed does not exist." />;
  return <TestbedEditor key={id} stored={stored} />;
}

function TestbedEditor({ stored }: { stored: Testbed | undefined }) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const form = `testbed ${stored?.id ?? 'new'}`;
  const draft = useAppSelector((state) => state.drafts[form] as Testbed | undefined);
  const { data: connections = [] } = useConnectionListQuery({});
  const { data: profiles = [] } = useProfileListQuery({});
  const [newTestbedId] = useState(() => newId('testbed'));
  const clients = connections.filter((c) => c.kind === 'client');
  const vcenters = connections.filter((c) => c.kind === 'vcenter');
  const start: Testbed = stored ?? { id: newTestbedId, name: '', version: 0, profileId: '', vcenterId: null, powerIds: [], tiles: [], notes: '' };
  const [testbed, setTestbed] = useState<Testbed>(draft ?? start);
  const edited = JSON.stringify(testbed) !== JSON.stringify(stored ?? start);
  const [save, saving] = useTestbedSaveMutation();
  const { data: inventory } = useInventoryGetQuery({ vcenterId: testbed.vcenterId ?? '' }, { skip: testbed.vcenterId === null });
  useEffect(() => { dispatch(edited ? drafted({ form, values: testbed }) : draftDropped(form)); }, [edited, dispatch, form, testbed]);

  const profile = profiles.find((p) => p.id === testbed.profileId);
  const missing = problems(testbed, profile, connections);
  const clientIds = clients.map((c) => c.id);
  const setTileCount = (count: number): void => { if (profile) setTestbed(withTiles(testbed, profile, count, clientIds)); };
  const submit = async (): Promise<void> => {
    const saved = await save(testbed);
    if (saved.error) return;
    dispatch(draftDropped(form));
    setTestbed(saved.data);
    notifications.show({ color: 'green', message: `${saved.data.name} saved as version ${saved.data.version}.` });
    if (!stored) void navigate(`/testbeds/${saved.data.id}`, { replace: true });
  };
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap">
        <Group gap="sm"><Title order={1}>{testbed.name || 'New testbed'}</Title>{stored && <Text size="sm" c="dimmed">{`version ${testbed.version}`}</Text>}{edited && <Badge variant="filled" color="orange.9" tt="none">Not saved</Badge>}</Group>
        <Group gap={8}>{stored && <Button variant="default" onClick={() => void navigate(`/plans/new?testbed=${testbed.id}`)}>Plan a run</Button>}<Button disabled={missing.length > 0 || !edited} loading={saving.isLoading} onClick={() => void submit()}>Save testbed</Button></Group>
      </Group>
      <Tabs defaultValue="layout" keepMounted={false}>
        <Tabs.List><Tabs.Tab value="layout">Layout</Tabs.Tab><Tabs.Tab value="inventory">Inventory</Tabs.Tab></Tabs.List>
        <Tabs.Panel value="layout" pt="md">
          <Stack gap="md">
            <Group grow align="flex-start">
              <TextInput label="Name" description="As it is called in plans" required value={testbed.name} onChange={(event) => setTestbed({ ...testbed, name: event.currentTarget.value })} />
              <Select label="Benchmark profile" description="What a tile holds" placeholder="Choose" required allowDeselect={false} data={profiles.map((p) => ({ value: p.id, label: p.name }))} value={testbed.profileId || null} onChange={(value) => { const chosen = profiles.find((p) => p.id === value); if (chosen) setTestbed(withTiles({ ...testbed, profileId: chosen.id }, chosen, Math.max(1, testbed.tiles.length), clientIds)); }} />
              <Select label="vCenter" placeholder="None" description="Watches VMs, hosts, datastores" clearable data={vcenters.map((c) => ({ value: c.id, label: c.name }))} value={testbed.vcenterId} onChange={(value) => setTestbed({ ...testbed, vcenterId: value })} />
              <MultiSelect label="Power sources" placeholder={testbed.powerIds.length === 0 ? 'None' : ''} description="Recorded while a run goes" clearable data={connections.filter((c) => c.kind === 'power').map((c) => ({ value: c.id, label: c.name }))} value={testbed.powerIds} onChange={(powerIds) => setTestbed({ ...testbed, powerIds })} />
              <NumberInput label="Tiles" description="1 to 400" min={1} max={400} allowDecimal={false} disabled={!profile} value={testbed.tiles.length} onChange={(value) => { if (typeof value === 'number' && value >= 1) setTileCount(value); }} />
            </Group>
            {!profile && <Nothing text="A profile says which workloads a tile holds. Choose one, and the tiles appear here as rows: a VM and a client machine for each workload." />}
            {profile && <Text size="sm" c="dimmed">{profile.description}</Text>}
            {profile && clients.length === 0 && <Nothing text="No client machine is connected yet: workloads need one to run on." action={<Button size="xs" onClick={() => void navigate('/connections')}>Add client machines</Button>} />}
            {profile && testbed.vcenterId !== null && !inventory && <Nothing text="The vCenter was not discovered yet: its VMs can be assigned after that." />}
            {profile && <FillHelpers testbed={testbed} inventory={inventory ?? null} clientIds={clientIds} onChange={setTestbed} />}
            {profile && testbed.tiles.length > 0 && <LayoutTable testbed={testbed} profile={profile} inventory={inventory ?? null} clients={clients} onChange={setTestbed} />}
            {profile?.scoring.infrastructure && testbed.tiles.length > 0 && <InfrastructureForm testbed={testbed} rule={profile.scoring.infrastructure} inventory={inventory ?? null} onChange={setTestbed} />}
            {missing.length > 0 && edited && <Text size="sm" role="status">{`Before it can be saved: ${missing.slice(0, 3).join(' ')}${missing.length > 3 ? ` And ${missing.length - 3} more.` : ''}`}</Text>}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="inventory" pt="md"><InventoryView vcenters={vcenters} vcenterId={testbed.vcenterId} onChoose={(vcenterId) => setTestbed({ ...testbed, vcenterId })} /></Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
