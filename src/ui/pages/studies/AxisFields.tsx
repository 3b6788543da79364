import {
  Button,
  Group,
  MultiSelect,
  Paper,
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
import type { AxisValue } from '../../../core/study/study.ts';
import { parameterWords } from '../../../core/study/studyWords.ts';
import type { DriverInfo } from '../../../wire/contract/plans.ts';
import { dim } from '../../kit/tones.ts';
import { type AxisPartProps, AxisValueFields } from './AxisValueFields.tsx';
import { type AxisDraft, axisValues } from './studyForm.ts';

interface Props {
  index: number;
  axis: AxisDraft;
  onChange: (axis: AxisDraft) => void;
  onRemove: (() => void) | null;
  errorOf: (field: string) => string | undefined;
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
  const part: AxisPartProps = {
    at: `axes.${index}`,
    axis,
    set: (change) => onChange({ ...axis, ...change }),
    errorOf,
  };
  const byId = axis.kind === 'testbed' || axis.kind === 'profile';
  const values = axisValues(axis);
  return (
    <Paper p="sm" role="group" aria-label={index === 0 ? 'First axis' : 'Second axis'}>
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
        <KindFields {...part} simulated={simulated} />
        {axis.kind === 'option' && <OptionFields {...part} profile={profile} drivers={drivers} />}
        {axis.kind === 'lab' && <LabField {...part} />}
        {axis.kind === 'manual' && <ManualField {...part} />}
        {byId ? (
          <IdsField {...part} choices={axis.kind === 'testbed' ? testbeds : profiles} />
        ) : (
          <AxisValueFields {...part} />
        )}
        {values.length > 0 && !byId && (
          <Text size="xs" c={dim}>
            {valuesText(values)}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

const valuesText = (values: readonly AxisValue[]): string =>
  `${counted(values.length, 'value')}: ${values
    .slice(0, 16)
    .map((v) => (typeof v === 'number' ? tickText(v) : v))
    .join(', ')}${values.length > 16 ? ', …' : ''}`;

/** Labels that an axis has until it is given another. */
const labels: Readonly<Record<AxisDraft['kind'], string>> = {
  tiles: 'Tiles',
  option: '',
  testbed: 'Testbed',
  profile: 'Profile',
  run: 'Run',
  lab: '',
  manual: '',
  whatIf: '',
};

function KindFields({ at, axis, set, errorOf, simulated }: AxisPartProps & { simulated: boolean }) {
  const kinds = (Object.keys(parameterWords) as AxisDraft['kind'][]).filter(
    (kind) =>
      axis.kind === kind ||
      // Changes of a lab are made on its drawing, runs are chosen where they are compared: neither
      // has a field.
      (kind !== 'whatIf' && kind !== 'run' && (kind !== 'lab' || simulated)),
  );
  const changeKind = (kind: AxisDraft['kind']): void =>
    set({
      kind,
      ...(axis.label === '' || Object.values<string>(labels).includes(axis.label)
        ? { label: labels[kind] }
        : {}),
    });
  return (
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
  );
}

/** Which parameter of which workload changes. */
function OptionFields({
  at,
  axis,
  set,
  errorOf,
  profile,
  drivers,
}: AxisPartProps & Pick<Props, 'profile' | 'drivers'>) {
  const workload = profile?.workloads.find((w) => w.id === axis.workloadId);
  const params = drivers.find((d) => d.id === workload?.driver)?.params ?? [];
  return (
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
  );
}

const LabField = ({ at, axis, set, errorOf }: AxisPartProps) => (
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
);

const ManualField = ({ at, axis, set, errorOf }: AxisPartProps) => (
  <Textarea
    label="Instruction"
    description="Shown before each value; the study waits until it is done"
    autosize
    minRows={2}
    value={axis.instruction}
    error={errorOf(`${at}.instruction`)}
    onChange={(e) => set({ instruction: e.currentTarget.value })}
  />
);

const IdsField = ({
  at,
  axis,
  set,
  errorOf,
  choices,
}: AxisPartProps & { choices: readonly { id: string; name: string }[] }) => (
  <MultiSelect
    label={axis.kind === 'testbed' ? 'Testbeds' : 'Benchmark profiles'}
    description="In the order they are run"
    placeholder={axis.ids.length === 0 ? 'Choose' : ''}
    data={choices.map(({ id, name }) => ({ value: id, label: name }))}
    value={axis.ids}
    error={errorOf(`${at}.ids`)}
    onChange={(ids) => set({ ids })}
  />
);
