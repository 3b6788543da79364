import { Group, NumberInput, Select, Switch } from '@mantine/core';

import { orderWords, stopWords } from '../../../core/study/studyWords.ts';
import { DurationField } from '../../kit/DurationField.tsx';
import type { StudyDraft } from './studyForm.ts';

interface Props {
  draft: StudyDraft;
  set: (change: Partial<StudyDraft>) => void;
  errorOf: (field: string) => string | undefined;
}

/** Order, repeats, pauses, and what stops the study. */
export function RunFields({ draft, set, errorOf }: Props) {
  return (
    <Group grow align="flex-start">
      <Select
        label="Order"
        allowDeselect={false}
        data={Object.entries(orderWords).map(([value, label]) => ({ value, label }))}
        value={draft.order}
        onChange={(order) => {
          if (order !== null) set({ order: order as StudyDraft['order'] });
        }}
      />
      <NumberBox
        label="Repeats"
        description="Of each value"
        value={draft.repeats}
        error={errorOf('repeats')}
        onChange={(repeats) => set({ repeats })}
      />
      <DurationField
        label="Pause between runs"
        description="So that caches and moves settle"
        value={draft.pauseS === '' ? Number.NaN : draft.pauseS}
        error={errorOf('pauseS')}
        onChange={(seconds) => set({ pauseS: Number.isNaN(seconds) ? '' : seconds })}
      />
      <Select
        label="Stops"
        allowDeselect={false}
        data={Object.entries(stopWords).map(([value, label]) => ({ value, label }))}
        value={draft.stopRule}
        onChange={(stopRule) => {
          if (stopRule !== null) set({ stopRule: stopRule as StudyDraft['stopRule'] });
        }}
      />
    </Group>
  );
}

/** Whether the limit is searched for instead of running every value, and how. */
export function LimitSearchFields({ draft: { find }, set, errorOf }: Props) {
  const change = (patch: Partial<NonNullable<StudyDraft['find']>>): void => {
    if (find !== null) set({ find: { ...find, ...patch } });
  };
  return (
    <>
      <Switch
        label="Find the limit instead of running every value"
        description={
          'Coarse steps up to the first failure, then halves the gap between pass and fail, ' +
          'then repeats both sides'
        }
        checked={find !== null}
        error={errorOf('find')}
        onChange={(e) =>
          set({
            find: e.currentTarget.checked
              ? { from: 1, to: 20, coarseStep: 4, resolution: 1, confirmations: 2 }
              : null,
          })
        }
      />
      {find !== null && (
        <Group grow align="flex-start">
          <NumberBox
            label="Search from"
            value={find.from}
            error={errorOf('find.from')}
            onChange={(from) => change({ from })}
          />
          <NumberBox
            label="Search to"
            value={find.to}
            error={errorOf('find.to')}
            onChange={(to) => change({ to })}
          />
          <NumberBox
            label="Coarse step"
            value={find.coarseStep}
            error={errorOf('find.coarseStep')}
            onChange={(coarseStep) => change({ coarseStep })}
          />
          <NumberBox
            label="Resolution"
            description="Pass and fail this close"
            value={find.resolution}
            error={errorOf('find.resolution')}
            onChange={(resolution) => change({ resolution })}
          />
          <NumberBox
            label="Confirmations"
            description="Repeats of both sides"
            value={find.confirmations}
            error={errorOf('find.confirmations')}
            onChange={(confirmations) => change({ confirmations })}
          />
        </Group>
      )}
    </>
  );
}

/** A number that may be empty while it is typed. */
function NumberBox({
  label,
  description,
  value,
  error,
  onChange,
}: {
  label: string;
  description?: string;
  value: number | '';
  error: string | undefined;
  onChange: (next: number | '') => void;
}) {
  return (
    <NumberInput
      label={label}
      description={description}
      value={value}
      error={error}
      onChange={(next) => onChange(typeof next === 'number' ? next : '')}
    />
  );
}
