import { Fieldset, Group, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';

import type { Profile } from '../../../core/profile/profile.ts';
import {
  type InfrastructureTargets,
  infrastructureTargets,
} from '../../../core/testbed/infrastructure.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { DurationField } from '../../kit/DurationField.tsx';

interface Option {
  value: string;
  label: string;
}
export interface InfrastructureFormProps {
  testbed: Testbed;
  rule: NonNullable<Profile['scoring']['infrastructure']>;
  inventory: Inventory | null;
  onChange: (testbed: Testbed) => void;
}

const nothing: InfrastructureTargets = infrastructureTargets.parse({});

/** What is done to them, when, and how often at once. */
const loopWords = ({ operations, hostsPerLoop }: InfrastructureFormProps['rule']): string =>
  `${operations.map((o) => o.name).join(', ')} run in loops through the steady state` +
  (hostsPerLoop === null
    ? ''
    : `, one loop of each for ${hostsPerLoop} hosts, rounded down, at least one`) +
  '. A VM is never in two at once; afterwards everything is put back.';

/**
 * What the profile's infrastructure operations work on; only the operations it counts are asked
 * for.
 */
export function InfrastructureForm({
  testbed,
  rule,
  inventory,
  onChange,
}: InfrastructureFormProps) {
  const targets = testbed.infrastructure ?? nothing;
  const set = (change: Partial<InfrastructureTargets>): void =>
    onChange({ ...testbed, infrastructure: { ...targets, ...change } });
  const counts = (id: string): boolean => rule.operations.some((operation) => operation.id === id);
  const own = testbed.tiles.flatMap((tile) =>
    tile.workloads.flatMap((w) => (w.vm ? [{ value: w.vm.ref, label: w.vm.name }] : [])),
  );
  const scratch = testbed.layout?.maintenanceDatastore?.ref;
  // The maintenance LUN stands first: it is what an operation gets until another is chosen.
  const datastores = [...(inventory?.datastores ?? [])]
    .sort((a, b) => Number(b.ref === scratch) - Number(a.ref === scratch))
    .map(({ ref, name }) => ({
      value: ref,
      label: ref === scratch ? `${name} (maintenance)` : name,
    }));
  const templates = (inventory?.vms ?? [])
    .filter((vm) => vm.template || vm.powerState !== 'poweredOn')
    .map(({ ref, name, template }) => ({
      value: ref,
      label: template ? name : `${name} (no template, off)`,
    }));
  return (
    <Fieldset legend="Infrastructure operations" variant="default">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {loopWords(rule)}
        </Text>
        {!inventory && (
          <Text size="sm">
            The vCenter was not discovered yet: VMs and datastores can be chosen after that.
          </Text>
        )}
        {counts('vmotion') && (
          <Vms
            label="VMs that vMotion moves"
            options={own}
            value={targets.vmotionVmRefs}
            onChange={(vmotionVmRefs) => set({ vmotionVmRefs })}
          />
        )}
        {counts('storageVmotion') && (
          <Disks
            label="Storage vMotion"
            vms={own}
            datastores={datastores}
            value={targets.storageVmotion}
            onChange={(storageVmotion) => set({ storageVmotion })}
          />
        )}
        {counts('xvmotion') && (
          <Disks
            label="XvMotion"
            vms={own}
            datastores={datastores}
            value={targets.xvmotion}
            onChange={(xvmotion) => set({ xvmotion })}
          />
        )}
        {counts('deploy') && (
          <Deploy
            templates={templates}
            datastores={datastores}
            value={targets.deploy}
            onChange={(deploy) => set({ deploy })}
          />
        )}
        {counts('snapshot') && (
          <Vms
            label="VMs that get snapshots"
            options={own}
            value={targets.snapshotVmRefs}
            onChange={(snapshotVmRefs) => set({ snapshotVmRefs })}
          />
        )}
        <DurationField
          label="Pause"
          description="Of each loop between two operations"
          w={220}
          within={[0, 86_400]}
          value={targets.pauseS}
          onChange={(pauseS) => set({ pauseS })}
        />
      </Stack>
    </Fieldset>
  );
}

function Vms({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: Option[];
  value: string[];
  onChange: (value: string[]) => void;
}) {
  return (
    <MultiSelect
      label={label}
      placeholder={value.length === 0 ? 'None: not counted' : ''}
      searchable
      clearable
      limit={200}
      data={unique(options)}
      value={value}
      onChange={onChange}
    />
  );
}

type Moved = NonNullable<InfrastructureTargets['storageVmotion']>;
/** VMs and the datastore they move to and from; without both the operation is not counted. */
function Disks({
  label,
  vms,
  datastores,
  value,
  onChange,
}: {
  label: string;
  vms: Option[];
  datastores: Option[];
  value: Moved | null;
  onChange: (value: Moved | null) => void;
}) {
  const change = (vmRefs: string[], datastoreRef: string | null): void =>
    onChange(
      vmRefs.length === 0 && datastoreRef === null
        ? null
        : {
            vmRefs: vmRefs.length > 0 ? vmRefs : vms.slice(0, 1).map((vm) => vm.value),
            datastoreRef: datastoreRef ?? datastores[0]?.value ?? '',
          },
    );
  return (
    <Group grow align="flex-start">
      <MultiSelect
        label={`${label}: VMs`}
        placeholder={value ? '' : 'None: not counted'}
        searchable
        limit={200}
        data={unique(vms)}
        value={value?.vmRefs ?? []}
        onChange={(refs) =>
          refs.length === 0 ? onChange(null) : change(refs, value?.datastoreRef ?? null)
        }
      />
      <Select
        label={`${label}: maintenance datastore`}
        placeholder="None: not counted"
        clearable
        searchable
        data={datastores}
        value={value?.datastoreRef ?? null}
        onChange={(ref) => (ref === null ? onChange(null) : change(value?.vmRefs ?? [], ref))}
      />
    </Group>
  );
}

type Deployed = NonNullable<InfrastructureTargets['deploy']>;
function Deploy({
  templates,
  datastores,
  value,
  onChange,
}: {
  templates: Option[];
  datastores: Option[];
  value: Deployed | null;
  onChange: (value: Deployed | null) => void;
}) {
  return (
    <Group grow align="flex-start">
      <Select
        label="Deploy: template"
        placeholder="None: not counted"
        clearable
        searchable
        data={templates}
        value={value?.templateRef ?? null}
        onChange={(ref) =>
          onChange(
            ref === null
              ? null
              : {
                  ...value,
                  templateRef: ref,
                  datastoreRef: value?.datastoreRef ?? datastores[0]?.value ?? '',
                },
          )
        }
      />
      <Select
        label="Deploy: datastore"
        placeholder="None"
        searchable
        disabled={value === null}
        data={datastores}
        value={value?.datastoreRef ?? null}
        onChange={(ref) => {
          if (ref !== null && value !== null) onChange({ ...value, datastoreRef: ref });
        }}
      />
      <TextInput
        label="Deploy: customisation"
        placeholder="None: not customised"
        disabled={value === null}
        maxLength={255}
        value={value?.customization ?? ''}
        onChange={(event) => {
          const { customization: _before, ...rest } = value ?? {
            templateRef: '',
            datastoreRef: '',
          };
          const name = event.currentTarget.value;
          onChange(name === '' ? rest : { ...rest, customization: name });
        }}
      />
    </Group>
  );
}

/** A VM of two workloads is one choice. */
const unique = (options: Option[]): Option[] => [
  ...new Map(options.map((option) => [option.value, option])).values(),
];
