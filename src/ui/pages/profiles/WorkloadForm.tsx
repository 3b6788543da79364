import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { memo } from 'react';

import { hiddenWaitsOf } from '../../../core/profile/driverKinds.ts';
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
/** What the parts of the form share. */
interface PartProps {
  at: string;
  workload: ProfileWorkload;
  onChange: (workload: ProfileWorkload) => void;
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
  const part: PartProps = { at, workload: w, onChange };
  const vms = vmsText(w);
  const hiddenWaits = hiddenWaitsOf(w.driver);
  return (
    <Paper p="sm" component="section" aria-label={`Workload ${w.name || w.id}`}>
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
        <NameFields {...part} drivers={drivers} />
        {hiddenWaits !== null && (
          <Text size="sm" c={dim}>{`No limit can be set on its latency: ${hiddenWaits}.`}</Text>
        )}
        <CheckField
          label="Scored"
          description="Otherwise it must only stay alive"
          checked={w.scored}
          onChange={(scored) => onChange({ ...w, scored })}
        />
        {w.scored && <ReferenceFields {...part} />}
        <LimitRows
          at={at}
          unit={w.unit}
          limits={w.qos}
          onChange={(qos) => onChange({ ...w, qos })}
        />
        <LongField
          path={`${at}.note`}
          label="Note"
          value={w.note ?? ''}
          onChange={(note) => {
            const { note: _note, ...rest } = w;
            onChange(note === '' ? rest : { ...rest, note });
          }}
        />
        <DriverParams {...part} driver={drivers.find((d) => d.id === w.driver)} />
      </Stack>
    </Paper>
  );
});

/** The VMs of the workload in one tile: `1 × web, 4 vCPU; 2 × db`. */
const vmsText = (workload: ProfileWorkload): string =>
  (workload.vms ?? [])
    .map(({ count, name, vcpus, guest }) =>
      [
        `${count} × ${name}`,
        ...(vcpus === null ? [] : [`${vcpus} vCPU`]),
        ...(guest ? [guest] : []),
      ].join(', '),
    )
    .join('; ');

/** What the workload is called, what runs it, and what it counts. */
function NameFields({
  at,
  workload: w,
  onChange,
  drivers,
}: PartProps & { drivers: readonly DriverInfo[] }) {
  const set = (patch: Partial<ProfileWorkload>): void => onChange({ ...w, ...patch });
  const known = drivers.some((d) => d.id === w.driver);
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing="xs">
      <TextField
        path={`${at}.name`}
        label="Name"
        value={w.name}
        onChange={(name) => set({ name })}
      />
      <TextField path={`${at}.id`} label="Id" mono value={w.id} onChange={(id) => set({ id })} />
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
  );
}

/** What scores 1.0, what it weighs, and where both come from. */
function ReferenceFields({ at, workload: w, onChange }: PartProps) {
  const set = (patch: Partial<ProfileWorkload>): void => onChange({ ...w, ...patch });
  return (
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
  );
}

/** What the driver is given, folded up. */
function DriverParams({
  workload: w,
  onChange,
  driver,
}: PartProps & { driver: DriverInfo | undefined }) {
  const { readOnly } = useProfileForm();
  return (
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
            driver={driver}
            profileParams={{}}
            focused={null}
            params={w.params}
            onChange={(params) => onChange({ ...w, params })}
          />
        </SimpleGrid>
      )}
    </details>
  );
}
