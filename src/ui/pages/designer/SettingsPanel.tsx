import { Fieldset, MultiSelect, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';

import { toAppError } from '../../../core/base/errors.ts';
import { layoutOf } from '../../../core/layout/layoutEdit.ts';
import type { LayoutChange } from '../../../core/layout/layoutHistory.ts';
import {
  setDatastores,
  setExcludedVms,
  setHosts,
  setMaintenanceDatastore,
  setNamePattern,
  setNetwork,
  setResourcePool,
} from '../../../core/layout/layoutSettings.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import { parsePattern } from '../../../core/testbed/naming.ts';
import type { NamedRef, Testbed } from '../../../core/testbed/testbed.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { TemplateFields } from '../provision/index.ts';

interface Props {
  testbed: Testbed;
  profile: Profile;
  inventory: Inventory | null;
  onApply: (change: LayoutChange) => void;
}

/**
 * What is laid out beside the tiles: what is under test, the maintenance LUN, where clones come
 * from and go to.
 */
export function SettingsPanel({ testbed, profile, inventory, onApply }: Props) {
  const layout = layoutOf(testbed);
  const hosts = inventory?.hosts ?? [],
    datastores = inventory?.datastores ?? [],
    vms = inventory?.vms ?? [];
  const pools = inventory?.resourcePools ?? [];
  return (
    <Fieldset legend="Places and clones" variant="default">
      <Stack gap="sm">
        {!inventory && (
          <Text size="sm">
            The vCenter was not discovered yet: hosts, LUNs and VMs can be chosen after that.
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
          <Many
            label="Hosts under test"
            empty="All that tiles use"
            all={hosts}
            value={layout.hosts}
            onChange={(list) => onApply(setHosts(testbed, list))}
          />
          <Many
            label="LUNs under test"
            empty="All that tiles use"
            all={datastores}
            value={layout.datastores}
            onChange={(list) => onApply(setDatastores(testbed, list))}
          />
          <One
            label="Maintenance LUN"
            description="Scratch space of Storage vMotion and deploy; no tile lives on it"
            all={datastores}
            value={layout.maintenanceDatastore}
            onChange={(one) => onApply(setMaintenanceDatastore(testbed, one))}
          />
          <Many
            label="Excluded VMs"
            description="May run on the hosts under test without being strays"
            empty="None"
            all={vms}
            value={layout.excludedVms}
            onChange={(list) => onApply(setExcludedVms(testbed, list))}
          />
          <Pattern
            form={`name pattern ${testbed.id}`}
            value={layout.namePattern}
            onChange={(pattern) => onApply(setNamePattern(testbed, pattern))}
          />
          <One
            label="Network of clones"
            description="None = the template's own"
            all={inventory?.networks ?? []}
            value={layout.network}
            onChange={(one) => onApply(setNetwork(testbed, one))}
          />
          <One
            label="Resource pool of clones"
            description={
              pools.length === 0 ? 'Discovery found no pool' : 'None = the pool of the host'
            }
            all={pools.map(({ ref, path }) => ({ ref, name: path }))}
            value={layout.resourcePool}
            onChange={(one) => onApply(setResourcePool(testbed, one))}
          />
        </SimpleGrid>
        <TemplateFields
          testbed={testbed}
          profile={profile}
          inventory={inventory}
          onChange={(changed) => onApply({ label: 'Change a template', testbed: changed })}
        />
      </Stack>
    </Fieldset>
  );
}

/** Refs with names, and what was chosen and is no longer there, said to be so. */
function optionsOf(
  all: readonly NamedRef[],
  chosen: readonly NamedRef[],
): { value: string; label: string }[] {
  const known = new Set(all.map(({ ref }) => ref));
  return [
    ...all.map(({ ref, name }) => ({ value: ref, label: name })),
    ...chosen
      .filter(({ ref }) => !known.has(ref))
      .map(({ ref, name }) => ({ value: ref, label: `${name} (not discovered)` })),
  ];
}

function One({
  label,
  description,
  all,
  value,
  onChange,
}: {
  label: string;
  description?: string;
  all: readonly NamedRef[];
  value: NamedRef | null;
  onChange: (one: NamedRef | null) => void;
}) {
  return (
    <Select
      label={label}
      description={description}
      placeholder="None"
      searchable
      clearable
      limit={100}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      data={optionsOf(all, value ? [value] : [])}
      value={value?.ref ?? null}
      onChange={(ref) => {
        const one = [...all, ...(value ? [value] : [])].find((item) => item.ref === ref);
        onChange(one ? { ref: one.ref, name: one.name } : null);
      }}
    />
  );
}
function Many({
  label,
  description,
  empty,
  all,
  value,
  onChange,
}: {
  label: string;
  description?: string;
  empty: string;
  all: readonly NamedRef[];
  value: readonly NamedRef[];
  onChange: (list: NamedRef[]) => void;
}) {
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length === 0 ? empty : ''}
      searchable
      clearable
      limit={100}
      data={optionsOf(all, value)}
      value={value.map(({ ref }) => ref)}
      onChange={(refs) =>
        onChange(
          refs.flatMap((ref) => {
            const one = [...value, ...all].find((item) => item.ref === ref);
            return one ? [{ ref: one.ref, name: one.name }] : [];
          }),
        )
      }
    />
  );
}

/**
 * Checked as it is typed, kept when it is left: a half typed pattern is no edit, and stays a draft.
 */
function Pattern({
  form,
  value,
  onChange,
}: {
  form: string;
  value: string;
  onChange: (pattern: string) => void;
}) {
  const dispatch = useAppDispatch();
  const text = useAppSelector((state) => state.drafts[form] as string | undefined) ?? value;
  let error: string | null = null;
  try {
    parsePattern(text);
  } catch (thrown) {
    error = toAppError(thrown).message;
  }
  return (
    <TextInput
      label="Name pattern"
      description="How VMs of tiles are called, and clones will be"
      classNames={{ input: 'mono' }}
      value={text}
      error={error}
      onChange={(event) => dispatch(drafted({ form, values: event.currentTarget.value }))}
      onBlur={() => {
        if (error !== null) return;
        if (text !== value) onChange(text);
        dispatch(draftDropped(form));
      }}
    />
  );
}
