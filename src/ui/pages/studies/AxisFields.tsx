import {
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';

import { counted } from '../../../core/base/counted.ts';
import { tickText } from '../../../core/chart/xyModel.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import { parameterWords } from '../../../core/study/studyWords.ts';
import type { DriverInfo } from '../../../wire/contract/plans.ts';
import { dim } from '../../kit/tones.ts';
import { type AxisDraft, axisValues, type FieldErrors } from './studyForm.ts';

interface Props {
  index: number;
  axis: AxisDraft;
  onChange: (axis: AxisDraft) => void;
  onRemove: (() => void) | null;
  errorOf: (field: string) => string | undefined;
  errors: FieldErrors;
  profile: Profile | undefined;
  drivers: readonly DriverInfo[];
  testbeds: readonly { id: string; name: string }[];
  profiles: readonly { id: string; name: string }[];
  simulated: boolean;
}

/** One axis: what is changed between runs, and its values. */
export function AxisFields({
  index,
  axis,
  onChange,
  onRemove,
  errorOf,
  profile,
  drivers,
  testbeds,
  profiles,
  simulated,
}: Props) {
  const at = `axes.${index}`;
  const set = (change: Partial<AxisDraft>): void => onChange({ ...axis, ...change });
  const which = index === 0 ? 'First axis' : 'Second axis';
  const byId = axis.kind === 'testbed' || axis.kind === 'profile';
  const values = axisValues(axis);
  const workload = profile?.workloads.find((w) => w.id === axis.workloadId);
  const params = drivers.find((d) => d.id === workload?.driver)?.params ?? [];
  const kinds = (Object.keys(parameterWords) as AxisDraft['kind'][]).filter(
    (kind) => kind !== 'lab' || simulated || axis.kind === 'lab',
  );
  const changeKind = (kind: AxisDraft['kind']): void =>
    set({
      kind,
      ...(axis.label === '' || Object.values<string>(labels).includes(axis.label)
        ? { label: labels[kind] }
        : {}),
    });
  const number = (
    label: string,
    value: number | '',
    field: 'from' | 'to' | 'step',
  ): React.ReactNode => (
    <NumberInput
      label={label}
      value={value}
      error={errorOf(`${at}.${field}`)}
      onChange={(next) => set({ [field]: typeof next === 'number' ? next : '' })}
    />
  );
  return (
    <Paper withBorder p="sm" role="group" aria-label={which}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h3">
            {index === 0 ? 'First axis: along the curve' : 'Second axis: one curve each'}
          </Title>
          {onRemove !== null && (
            <Button
              size="compact-xs"
              variant="subtle"
              c="var(--tb-bad)"
              leftSection={<IconTrash size={13} aria-hidden />}
              onClick={onRemove}
            >
              Remove the second axis
            </Button>
          )}
        </Group>
        <Group grow align="flex-start">
          <Select
            label="What changes"
            description="Between one run and the next"
            allowDeselect={false}
            data={kinds.map((kind) => ({ value: kind, label: parameterWords[kind] }))}
            value={axis.kind}
            onChange={(kind) => {
              if (kind !== null) changeKind(kind);
            }}
          />
          <TextInput
            label="Axis label"
            description="As the chart calls it"
            value={axis.label}
            error={errorOf(`${at}.label`)}
            onChange={(e) => set({ label: e.currentTarget.value })}
          />
          <TextInput
            label="Unit"
            description="Empty where there is none"
            value={axis.unit}
            onChange={(e) => set({ unit: e.currentTarget.value })}
          />
        </Group>
        {axis.kind === 'option' && (
          <Group grow align="flex-start">
            <Select
              label="Workload"
              placeholder={profile ? 'Choose' : 'Choose a plan first'}
              data={(profile?.workloads ?? []).map((w) => ({ value: w.id, label: w.name }))}
              value={axis.workloadId || null}
              error={errorOf(`${at}.workloadId`)}
              onChange={(id) => set({ workloadId: id ?? '', param: '' })}
            />
            <Select
              label="Parameter"
              placeholder="Choose"
              data={[
                ...params
                  .filter((p) => p.type !== 'boolean')
                  .map((p) => ({
                    value: p.name,
                    label: p.description === '' ? p.name : `${p.name}: ${p.description}`,
                  })),
                ...(axis.param !== '' && !params.some((p) => p.name === axis.param)
                  ? [{ value: axis.param, label: axis.param }]
                  : []),
              ]}
              value={axis.param || null}
              error={errorOf(`${at}.param`)}
              onChange={(param) => set({ param: param ?? '' })}
            />
          </Group>
        )}
        {axis.kind === 'lab' && (
          <TextInput
            label="Property of the simulated lab"
            description={
              'A path such as drs.stars or hosts.0.coresPerSocket; variant takes the names of ' +
              "the lab's variants"
            }
            value={axis.path}
            error={errorOf(`${at}.path`)}
            onChange={(e) => set({ path: e.currentTarget.value })}
          />
        )}
        {axis.kind === 'manual' && (
          <Textarea
            label="Instruction"
            description="Shown before each value; the study waits until it is done"
            autosize
            minRows={2}
            value={axis.instruction}
            error={errorOf(`${at}.instruction`)}
            onChange={(e) => set({ instruction: e.currentTarget.value })}
          />
        )}
        {byId ? (
          <MultiSelect
            label={axis.kind === 'testbed' ? 'Testbeds' : 'Benchmark profiles'}
            description="In the order they are run"
            placeholder={axis.ids.length === 0 ? 'Choose' : ''}
            data={(axis.kind === 'testbed' ? testbeds : profiles).map((t) => ({
              value: t.id,
              label: t.name,
            }))}
            value={axis.ids}
            error={errorOf(`${at}.ids`)}
            onChange={(ids) => set({ ids })}
          />
        ) : (
          <Group align="flex-start" gap="sm">
            <Stack gap={2}>
              <Text size="sm" fw={600} id={`${at}-values`}>
                Values
              </Text>
              <SegmentedControl
                size="xs"
                aria-labelledby={`${at}-values`}
                value={axis.mode}
                data={[
                  { value: 'list', label: 'List' },
                  { value: 'range', label: 'From, to, step' },
                ]}
                onChange={(mode) => set({ mode: mode === 'list' ? 'list' : 'range' })}
              />
            </Stack>
            {axis.mode === 'list' ? (
              <TextInput
                style={{ flex: 1 }}
                label="List of values"
                placeholder="1, 2, 4, 8"
                value={axis.list}
                error={errorOf(`${at}.list`)}
                onChange={(e) => set({ list: e.currentTarget.value })}
              />
            ) : (
              <Group grow style={{ flex: 1 }} align="flex-start">
                {number('From', axis.from, 'from')}
                {number('To', axis.to, 'to')}
                {number('Step', axis.step, 'step')}
              </Group>
            )}
          </Group>
        )}
        {values.length > 0 && !byId && (
          <Text size="xs" c={dim}>{`${counted(values.length, 'value')}: ${values
            .slice(0, 16)
            .map((v) => (typeof v === 'number' ? tickText(v) : v))
            .join(', ')}${values.length > 16 ? ', …' : ''}`}</Text>
        )}
      </Stack>
    </Paper>
  );
}
const labels: Readonly<Record<AxisDraft['kind'], string>> = {
  tiles: 'Tiles',
  option: '',
  testbed: 'Testbed',
  profile: 'Profile',
  lab: '',
  manual: '',
};
