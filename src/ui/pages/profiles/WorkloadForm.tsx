import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { memo } from 'react';

import type { ProfileWorkload } from '../../../core/profile/profile.ts';
import type { DriverInfo } from '../../../wire/contract/plans.ts';
import { dim } from '../../kit/tones.ts';
import { ParamFields } from '../testbeds/ParamFields.tsx';
import { CheckField, ChoiceField, LongField, NumberField, TextField } from './fields.tsx';
import { LimitRows } from './LimitRows.tsx';
import { useProfileForm } from './profileForm.ts';

interface Props {
  index: number;
  workload: ProfileWorkload;
  drivers: readonly DriverInfo[];
  /** Keep the identity of both: a keystroke in one workload draws only that one. */ onChange: (
    index: number,
    workload: ProfileWorkload,
  ) => void;
  onRemove: ((index: number) => void) | undefined;
}

/** One workload of a tile: what runs it, what scores 1.0, its weight and its limits. */
export const WorkloadForm = memo(function WorkloadForm({
  index,
  workload: w,
  drivers,
  onChange: change,
  onRemove,
}: Props) {
  const at = `workloads.${index}`;
  const onChange = (next: ProfileWorkload): void => change(index, next);
  const { readOnly } = useProfileForm();
  const set = (patch: Partial<ProfileWorkload>): void => onChange({ ...w, ...patch });
  const known = drivers.some((d) => d.id === w.driver);
  const vms = (w.vms ?? [])
    .map(
      (vm) =>
        `${vm.count} × ${vm.name}${vm.vcpus === null ? '' : `, ${vm.vcpus} vCPU`}${vm.guest ? `, ${vm.guest}` : ''}`,
    )
    .join('; ');
  return (
    <Paper withBorder p="sm" component="section" aria-label={`Workload ${w.name || w.id}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={3}>{w.name || w.id}</Title>
          {!readOnly && onRemove && (
            <Button
              size="compact-xs"
              variant="default"
              c="var(--tb-bad)"
              onClick={() => onRemove(index)}
            >{`Remove ${w.name || w.id}`}</Button>
          )}
        </Group>
        {vms !== '' && (
          <Text
            size="sm"
            c={dim}
            title={w.vms?.map((vm) => vm.source).join('; ')}
          >{`In a tile: ${vms}`}</Text>
        )}
        <SimpleGrid cols={{ base: 2, md: 5 }} spacing="xs">
          <TextField
            path={`${at}.name`}
            label="Name"
            value={w.name}
            onChange={(name) => set({ name })}
          />
          <TextField
            path={`${at}.id`}
            label="Id"
            mono
            value={w.id}
            onChange={(id) => set({ id })}
          />
          <TextField
            path={`${at}.role`}
            label="Role"
            value={w.role}
            onChange={(role) => set({ role })}
          />
          <ChoiceField
            path={`${at}.driver`}
            label="Driver"
            value={w.driver}
            data={[
              ...drivers.map((d) => ({ value: d.id, label: d.title })),
              ...(known ? [] : [{ value: w.driver, label: w.driver }]),
            ]}
            onChange={(driver) => set({ driver, params: {} })}
          />
          <TextField
            path={`${at}.unit`}
            label="Unit of the throughput"
            value={w.unit}
            onChange={(unit) => set({ unit })}
          />
        </SimpleGrid>
        <CheckField
          label="Scored"
          description="Otherwise it must only stay alive"
          checked={w.scored}
          onChange={(scored) => set({ scored })}
        />
        {w.scored && (
          <Group gap="xs" align="flex-start" wrap="wrap">
            <NumberField
              path={`${at}.reference`}
              label="Reference"
              description="Scores 1.0"
              w={190}
              value={w.reference}
              onChange={(reference) => set({ reference })}
            />
            <div style={{ flex: 2, minWidth: 260 }}>
              <LongField
                path={`${at}.referenceSource`}
                label="Source of the reference"
                description="A document, or why it is not set"
                value={w.referenceSource}
                onChange={(referenceSource) => set({ referenceSource })}
              />
            </div>
            <NumberField
              path={`${at}.weight`}
              label="Weight"
              description="In the tile"
              w={140}
              placeholder="1"
              value={w.weight}
              onChange={(weight) => {
                const { weight: _weight, ...rest } = w;
                onChange(weight === null ? rest : { ...rest, weight });
              }}
            />
            {w.weight !== undefined && w.weight !== 1 && (
              <div style={{ flex: 1, minWidth: 200 }}>
                <LongField
                  path={`${at}.weightSource`}
                  label="Source of the weight"
                  description="Needed where it is not 1"
                  value={w.weightSource ?? ''}
                  onChange={(weightSource) => set({ weightSource })}
                />
              </div>
            )}
          </Group>
        )}
        <LimitRows at={at} unit={w.unit} limits={w.qos} onChange={(qos) => set({ qos })} />
        <LongField
          path={`${at}.note`}
          label="Note"
          value={w.note ?? ''}
          onChange={(note) => {
            const { note: _note, ...rest } = w;
            onChange(note === '' ? rest : { ...rest, note });
          }}
        />
        <details>
          <summary>
            <Text
              span
              size="sm"
            >{`Parameters of the driver (${Object.keys(w.params).length} set)`}</Text>
          </summary>
          {readOnly ? (
            <Stack gap={2} mt={6}>
              {Object.entries(w.params).map(([name, value]) => (
                <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
                  <b>{name}</b>
                  {` ${value}`}
                </Text>
              ))}
            </Stack>
          ) : (
            <SimpleGrid cols={{ base: 1, md: 3 }} spacing="xs" mt={6}>
              <ParamFields
                driver={drivers.find((d) => d.id === w.driver)}
                profileParams={{}}
                params={w.params}
                onChange={(params) => set({ params })}
              />
            </SimpleGrid>
          )}
        </details>
      </Stack>
    </Paper>
  );
});
