import { Button, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

import { type Act, type ActKindId, actKindIds, mostActs } from '../../../core/acts/act.ts';
import { recoveryRuleText } from '../../../core/acts/effect.ts';
import { actAtText, type ActKind, actKinds } from '../../../core/acts/kinds.ts';
import { type ActProblem, actProblems } from '../../../core/acts/problems.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { useInventoryDiscoverMutation, useInventoryGetQuery } from '../../engine/api.ts';
import { useSimulated } from '../../engine/services.ts';
import { DurationField } from '../../kit/DurationField.tsx';
import { NumberField } from '../../kit/NumberField.tsx';
import { dim } from '../../kit/tones.ts';

const kinds = actKindIds.map((value) => ({ value, label: actKinds[value].title }));

interface Props {
  plan: Plan;
  testbed: Testbed | undefined;
  /** What is wrong with a field, by its path. */ error: (field: string) => string | undefined;
  onChange: (acts: Act[]) => void;
}

/** What is done to the testbed while the load runs: at what time, to what, for how long, by whom. */
export function ActFields({ plan, testbed, error, onChange }: Props) {
  const simulated = useSimulated();
  const { data: inventory = null } = useInventoryGetQuery(
    { vcenterId: testbed?.vcenterId ?? '' },
    { skip: !testbed || testbed.vcenterId === null },
  );
  const [discover, discovering] = useInventoryDiscoverMutation();
  const vcenterId = testbed?.vcenterId ?? null;
  const acts = plan.acts ?? [];
  const problems = actProblems(acts, plan.phases.steadyS, simulated);
  const add = (): void => onChange([...acts, usualAct(acts, plan.phases.steadyS)]);
  return (
    <Stack gap="sm" component="section" aria-label="Acts">
      <Title order={2}>Acts</Title>
      <Text size="sm" c={dim}>
        {acts.length === 0
          ? 'Nothing is done to the testbed while the load runs.'
          : `${recoveryRuleText()} Times count from the start of the steady state.`}
      </Text>
      {acts.map((act, index) => (
        <ActRow
          key={act.id}
          act={act}
          inventory={inventory}
          simulated={simulated}
          problems={problems.filter((one) => one.actId === act.id)}
          error={(field) => error(`acts.${index}.${field}`)}
          onChange={(patch) =>
            onChange(acts.map((one) => (one.id === act.id ? { ...one, ...patch } : one)))
          }
          onRemove={() => onChange(acts.filter((one) => one.id !== act.id))}
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={acts.length >= mostActs}
          onClick={add}
        >
          Add an act
        </Button>
        {acts.length > 0 && inventory === null && vcenterId !== null && (
          <Button
            variant="default"
            loading={discovering.isLoading}
            onClick={() => void discover({ vcenterId })}
          >
            Read hosts from vCenter
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** A new act: after the last one, or at half of the steady state. */
function usualAct(acts: readonly Act[], steadyS: number): Act {
  const number =
    Math.max(0, ...acts.map((one) => Number(/^act-(\d+)$/.exec(one.id)?.[1] ?? 0))) + 1;
  const last = Math.max(0, ...acts.map((one) => one.atS));
  const half = Number.isFinite(steadyS) ? steadyS / 2 : 0;
  return {
    id: `act-${number}`,
    kind: 'hostFails',
    atS: Math.round(acts.length === 0 ? half : last + Math.max(0, (steadyS - last) / 2)),
    target: null,
    lastsS: null,
    amount: null,
    by: 'console',
    onFailure: 'goOn',
  };
}

interface RowProps {
  act: Act;
  inventory: Inventory | null;
  simulated: boolean;
  problems: readonly ActProblem[];
  error: (field: string) => string | undefined;
  onChange: (patch: Partial<Act>) => void;
  onRemove: () => void;
}

function ActRow({ act, inventory, simulated, problems, error, onChange, onRemove }: RowProps) {
  const kind = actKinds[act.kind];
  const problem = (field: ActProblem['field']): string | undefined => {
    const own = problems.find((one) => one.field === field);
    return own && `${own.text.charAt(0).toUpperCase()}${own.text.slice(1)}. ${own.fix}`;
  };
  const able = simulated ? kind.console.simulated : kind.console.vcenter;
  const chooseKind = (next: ActKindId): void => {
    const { target, amount, console: by } = actKinds[next];
    onChange({
      kind: next,
      ...(target === kind.target ? {} : { target: null }),
      amount: amount?.usual ?? null,
      by: (simulated ? by.simulated : by.vcenter) ? 'console' : 'hand',
    });
  };
  return (
    <Paper p="sm" role="group" aria-label={actAtText(act)}>
      <Group align="flex-start" gap="md">
        <DurationField
          w={110}
          label="At"
          value={act.atS}
          error={error('atS') ?? problem('atS')}
          onChange={(atS) => onChange({ atS })}
        />
        <Select
          w={200}
          label="What"
          allowDeselect={false}
          data={kinds}
          value={act.kind}
          onChange={(next) => chooseKind(actKindIds.find((one) => one === next) ?? act.kind)}
        />
        {kind.target !== null && (
          <Target
            act={act}
            kind={kind.target}
            inventory={inventory}
            error={problem('target')}
            onChange={(target) => onChange({ target })}
          />
        )}
        {kind.amount !== null && (
          <NumberField
            w={120}
            label={kind.amount.label}
            allowDecimal={false}
            min={kind.amount.min}
            value={act.amount ?? NaN}
            error={problem('amount')}
            onChange={(amount) => onChange({ amount })}
          />
        )}
        <Lasting act={act} error={error('lastsS')} onChange={(lastsS) => onChange({ lastsS })} />
        <Choice
          label="Done by"
          choices={{ console: 'The console', hand: 'You, by hand' }}
          disabled={able ? [] : ['console']}
          value={act.by}
          error={problem('by')}
          onChange={(by) => onChange({ by })}
        />
        <Choice
          label="If it fails"
          choices={{ goOn: 'The run goes on', endRun: 'End the run' }}
          value={act.onFailure}
          onChange={(onFailure) => onChange({ onFailure })}
        />
      </Group>
      <Group mt={6} gap="md" justify="space-between" align="flex-start" wrap="nowrap">
        <Text size="xs" c={dim}>
          {act.by === 'hand'
            ? `${kind.what} The live board counts down to it; press Done when you have done it. You put it back.`
            : `${kind.what} ${kind.undo}`}
        </Text>
        <Button
          size="compact-sm"
          style={{ flexShrink: 0 }}
          variant="subtle"
          leftSection={<IconTrash size={16} aria-hidden />}
          aria-label={`Remove: ${actAtText(act)}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </Group>
    </Paper>
  );
}

/** The host or adapter, of those that vCenter has. */
function Target({
  act,
  kind,
  inventory,
  error,
  onChange,
}: {
  act: Act;
  kind: NonNullable<ActKind['target']>;
  inventory: Inventory | null;
  error: string | undefined;
  onChange: (target: Act['target']) => void;
}) {
  const hosts = inventory?.hosts ?? [];
  const known =
    kind === 'host'
      ? hosts.map(({ ref, name }) => ({ value: ref, label: name }))
      : hosts.flatMap(({ ref, name, nics, hbas }) =>
          (kind === 'uplink' ? nics : hbas).map(({ device }) => ({
            value: `${ref}/${device}`,
            label: `${name} ${device}`,
          })),
        );
  const { target } = act;
  const data =
    target === null || known.some((one) => one.value === target.ref)
      ? known
      : [...known, { value: target.ref, label: target.name }];
  return (
    <Select
      w={200}
      label={`${kind.charAt(0).toUpperCase()}${kind.slice(1)}`}
      searchable
      allowDeselect={false}
      placeholder={data.length === 0 ? 'vCenter was not discovered' : 'Choose'}
      data={data}
      value={target?.ref ?? null}
      error={error}
      onChange={(ref) => {
        const chosen = data.find((one) => one.value === ref);
        if (chosen) onChange({ ref: chosen.value, name: chosen.label });
      }}
    />
  );
}

/** One of a few words; `choices` has what each is called. */
function Choice<Value extends string>({
  label,
  choices,
  disabled = [],
  value,
  error,
  width = 150,
  onChange,
}: {
  label: string;
  choices: Readonly<Record<Value, string>>;
  disabled?: readonly Value[];
  value: Value;
  error?: string | undefined;
  width?: number;
  onChange: (value: Value) => void;
}) {
  const values = Object.keys(choices) as Value[];
  return (
    <Select
      w={width}
      label={label}
      allowDeselect={false}
      data={values.map((one) => ({
        value: one,
        label: choices[one],
        disabled: disabled.includes(one),
      }))}
      value={value}
      error={error}
      onChange={(next) => onChange(values.find((one) => one === next) ?? value)}
    />
  );
}

/** To the end of the run, or for a time. */
function Lasting({
  act: { lastsS },
  error,
  onChange,
}: {
  act: Act;
  error: string | undefined;
  onChange: (lastsS: number | null) => void;
}) {
  return (
    <>
      <Choice
        width={200}
        label="Lasts"
        choices={{ end: 'To the end of the run', time: 'For a time' }}
        value={lastsS === null ? 'end' : 'time'}
        onChange={(next) => onChange(next === 'time' ? 300 : null)}
      />
      {lastsS !== null && (
        <DurationField w={110} label="For" value={lastsS} error={error} onChange={onChange} />
      )}
    </>
  );
}
