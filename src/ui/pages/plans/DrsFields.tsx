import { Alert, Checkbox, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';

import type { DrsWish, Plan } from '../../../core/plan/plan.ts';
import { drsBehaviorWords, drsWords } from '../../../core/snapshot/drsWords.ts';
import type { ClusterInfo, Inventory } from '../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { useInventoryGetQuery } from '../../engine/api.ts';

type Wish = Pick<DrsWish, 'clusterRef' | 'behavior' | 'vmotionRate'>;
export interface DrsFieldsProps {
  plan: Plan;
  testbed: Testbed | undefined;
  onChange: (patch: Pick<Plan, 'drs' | 'startPlacement'>) => void;
}

const behaviors: readonly DrsWish['behavior'][] = [
  'off',
  'manual',
  'partiallyAutomated',
  'fullyAutomated',
];
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const levels = behaviors.map((value) => ({ value, label: capital(drsBehaviorWords[value]!) }));
const rates = [
  { value: '', label: 'As it is' },
  ...[1, 2, 3, 4, 5].map((rate) => ({
    value: String(rate),
    label: `${rate}${rate === 1 ? ' (most aggressive)' : rate === 5 ? ' (most conservative)' : ''}`,
  })),
];

/** Why nothing can be chosen here; null = it can. */
function obstacle(testbed: Testbed | undefined, inventory: Inventory | null): string | null {
  if (!testbed) return 'Choose a testbed first.';
  if (testbed.vcenterId === null)
    return 'The testbed has no vCenter: nothing can be moved or changed.';
  if (inventory === null)
    return 'The vCenter was not discovered yet: hosts and clusters can be chosen after that, in the testbed.';
  return null;
}

/** Clusters in which the testbed's VMs live; all where that is not known. */
function clustersOf(testbed: Testbed, { clusters, vms }: Inventory): ClusterInfo[] {
  const refs = new Set(
    testbed.tiles.flatMap((tile) => tile.workloads.flatMap((w) => (w.vm ? [w.vm.ref] : []))),
  );
  const hosts = new Set(
    vms.flatMap((vm) => (refs.has(vm.ref) && vm.hostRef !== null ? [vm.hostRef] : [])),
  );
  const own = clusters.filter((cluster) => cluster.hostRefs.some((ref) => hosts.has(ref)));
  return own.length > 0 ? own : clusters;
}

/**
 * Where VMs start, and what DRS is while the run lasts; a change of DRS only with consent that says
 * what is changed and put back.
 */
export function DrsFields({ plan, testbed, onChange }: DrsFieldsProps) {
  const { data: inventory = null } = useInventoryGetQuery(
    { vcenterId: testbed?.vcenterId ?? '' },
    { skip: !testbed || testbed.vcenterId === null },
  );
  const reason = obstacle(testbed, inventory);
  return (
    <Stack gap="sm" component="section" aria-label="Placement and DRS">
      <Title order={2}>Placement and DRS</Title>
      {reason !== null && <Text size="sm">{reason}</Text>}
      <Group align="flex-start" gap="md">
        <StartPlace
          plan={plan}
          testbed={testbed}
          inventory={inventory}
          disabled={reason !== null}
          onChange={(startPlacement) => onChange({ drs: plan.drs, startPlacement })}
        />
      </Group>
      <Drs
        plan={plan}
        clusters={testbed && inventory ? clustersOf(testbed, inventory) : []}
        disabled={reason !== null}
        onChange={(drs) => onChange({ drs, startPlacement: plan.startPlacement })}
      />
    </Stack>
  );
}

interface PartProps {
  plan: Plan;
  disabled: boolean;
}

function StartPlace({
  plan,
  testbed,
  inventory,
  disabled,
  onChange,
}: PartProps & {
  testbed: Testbed | undefined;
  inventory: Inventory | null;
  onChange: (place: Plan['startPlacement']) => void;
}) {
  const { startPlacement } = plan;
  const hosts = (inventory?.hosts ?? []).map(({ ref, name, maintenance, connectionState }) => ({
    value: ref,
    label: name,
    disabled: maintenance || connectionState !== 'connected',
  }));
  const planned =
    testbed?.tiles
      .slice(0, plan.tiles)
      .flatMap((tile) => tile.workloads)
      .filter((w) => w.planned?.host).length ?? 0;
  const kind =
    startPlacement === undefined ? 'asIs' : startPlacement === 'planned' ? 'planned' : 'oneHost';
  const choose = (value: string | null): void => {
    if (value === 'planned') onChange('planned');
    else if (value === 'oneHost')
      onChange({ allOnHostRef: hosts.find((host) => !host.disabled)?.value ?? '' });
    else onChange(undefined);
  };
  return (
    <>
      <Select
        w={320}
        label="VMs start"
        allowDeselect={false}
        disabled={disabled}
        value={kind}
        onChange={choose}
        description="By vMotion before the ramp-up; a VM that cannot be moved ends the start"
        data={[
          { value: 'asIs', label: 'Where they are' },
          {
            value: 'planned',
            label: `As the testbed's layout plans (${planned} VMs)`,
            disabled: planned === 0 && kind !== 'planned',
          },
          { value: 'oneHost', label: 'All on one host' },
        ]}
      />
      {kind === 'oneHost' && (
        <Select
          w={260}
          label="Host"
          description="Also in memory it must hold them all"
          searchable
          allowDeselect={false}
          disabled={disabled}
          data={hosts}
          value={typeof startPlacement === 'object' ? startPlacement.allOnHostRef : null}
          onChange={(ref) => {
            if (ref !== null) onChange({ allOnHostRef: ref });
          }}
        />
      )}
    </>
  );
}

function Drs({
  plan,
  clusters,
  disabled,
  onChange,
}: PartProps & { clusters: readonly ClusterInfo[]; onChange: (drs: Plan['drs']) => void }) {
  // A wish without consent is not part of the plan: it is kept here only.
  const [draft, setDraft] = useState<Wish | null>(plan.drs ?? null);
  const [wanted, setWanted] = useState(plan.drs != null);
  const first = clusters[0];
  const wish: Wish | null =
    plan.drs ??
    draft ??
    (first ? { clusterRef: first.ref, behavior: 'fullyAutomated', vmotionRate: null } : null);
  const none = clusters.length === 0;
  return (
    <Stack gap="xs">
      <Checkbox
        label="Set DRS for this run"
        disabled={disabled || none}
        checked={wanted}
        onChange={(event) => {
          setWanted(event.currentTarget.checked);
          if (!event.currentTarget.checked) onChange(null);
        }}
        description={
          none && !disabled
            ? 'The VMs of the testbed live in no cluster: there is no DRS to set.'
            : 'Otherwise DRS stays as it is'
        }
      />
      {wanted && wish && (
        <>
          <WishFields
            wish={wish}
            clusters={clusters}
            disabled={disabled}
            onEdit={(patch) => {
              setDraft({ ...wish, ...patch });
              // What was agreed to is another thing now.
              if (plan.drs) onChange(null);
            }}
          />
          <Consent
            plan={plan}
            wish={wish}
            clusters={clusters}
            disabled={disabled}
            onChange={onChange}
          />
        </>
      )}
    </Stack>
  );
}

/** What DRS of a cluster is now, in words. */
function currentDrs(cluster: ClusterInfo | undefined): string {
  return cluster
    ? drsWords({
        enabled: cluster.drsEnabled,
        behavior: cluster.drsBehavior,
        vmotionRate: cluster.drsVmotionRate,
      })
    : 'not known';
}

/** Which cluster, and what its DRS shall be. */
function WishFields({
  wish,
  clusters,
  disabled,
  onEdit,
}: {
  wish: Wish;
  clusters: readonly ClusterInfo[];
  disabled: boolean;
  onEdit: (patch: Partial<Wish>) => void;
}) {
  const cluster = clusters.find((one) => one.ref === wish.clusterRef);
  return (
    <Group align="flex-start" gap="md">
      <Select
        w={260}
        label="Cluster"
        description={`DRS is ${currentDrs(cluster)}`}
        allowDeselect={false}
        disabled={disabled}
        data={clusters.map(({ ref, name }) => ({ value: ref, label: name }))}
        value={wish.clusterRef}
        onChange={(clusterRef) => {
          if (clusterRef !== null) onEdit({ clusterRef });
        }}
      />
      <Select
        w={220}
        label="Automation level"
        description="While the run lasts"
        allowDeselect={false}
        disabled={disabled}
        data={levels}
        value={wish.behavior}
        onChange={(behavior) => {
          const level = behaviors.find((one) => one === behavior);
          if (level) onEdit({ behavior: level });
        }}
      />
      <Select
        w={220}
        label="Migration threshold"
        description="As the vSphere API counts it"
        allowDeselect={false}
        disabled={disabled || wish.behavior === 'off'}
        data={rates}
        value={wish.vmotionRate === null ? '' : String(wish.vmotionRate)}
        onChange={(rate) =>
          onEdit({ vmotionRate: rate === null || rate === '' ? null : Number(rate) })
        }
      />
    </Group>
  );
}

/** Says what is changed and put back; without it the wish is no part of the plan. */
function Consent({
  plan,
  wish,
  clusters,
  disabled,
  onChange,
}: PartProps & {
  wish: Wish;
  clusters: readonly ClusterInfo[];
  onChange: (drs: Plan['drs']) => void;
}) {
  const cluster = clusters.find((one) => one.ref === wish.clusterRef);
  const becomes = drsWords({
    enabled: wish.behavior !== 'off',
    behavior: wish.behavior,
    vmotionRate: wish.vmotionRate,
  });
  return (
    <>
      <Checkbox
        disabled={disabled}
        checked={plan.drs != null}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? { ...wish, consentedAtMs: Date.now() } : null)
        }
        label={
          `Each run of this plan may set DRS of ${cluster?.name ?? wish.clusterRef} from ` +
          `${currentDrs(cluster)} to ` +
          `${becomes}${plan.startPlacement === undefined ? '' : ', to manual while VMs are placed,'} ` +
          'and puts it back at its end'
        }
        description={
          'What it was is stored in the run before it is changed. It is put back after an ' +
          'abort and after a crash of this app too; all VMs of the cluster are affected ' +
          'meanwhile.'
        }
      />
      {plan.drs == null && (
        <Alert color="orange" variant="light" p="xs">
          Without this consent the plan does not change DRS.
        </Alert>
      )}
    </>
  );
}
