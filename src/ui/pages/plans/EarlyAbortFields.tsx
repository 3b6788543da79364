import { Checkbox, Group, Select, Stack } from '@mantine/core';

import type { EarlyAbortRule } from '../../../core/plan/earlyAbortRule.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import { DurationField } from '../../kit/DurationField.tsx';
import { NumberField } from '../../kit/NumberField.tsx';

const usual: EarlyAbortRule = { when: 'certain', periods: 2, warnS: 60 };

export interface EarlyAbortFieldsProps {
  plan: Plan;
  /** What is wrong with a field, by its path. */ error: (field: string) => string | undefined;
  onChange: (rule: EarlyAbortRule | null) => void;
}

/** Whether and when a run of this plan ends before its time. */
export function EarlyAbortFields({
  plan: { earlyAbort = null },
  error,
  onChange,
}: EarlyAbortFieldsProps) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="End a run early when it is wasted"
        description={
          'Otherwise every run goes to its planned end. A warning comes first, and the live ' +
          'board can let the run go on.'
        }
        checked={earlyAbort !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usual : null)}
      />
      {earlyAbort !== null && (
        <Group align="flex-start" gap="md">
          <Select
            w={360}
            label="When the same QoS limit is"
            allowDeselect={false}
            value={earlyAbort.when}
            onChange={(when) =>
              onChange({ ...earlyAbort, when: when === 'forecast' ? 'forecast' : 'certain' })
            }
            description="A single bad sample never counts"
            data={[
              { value: 'certain', label: 'Certain to be missed' },
              { value: 'forecast', label: 'Forecast to be missed at the present trend' },
            ]}
          />
          <NumberField
            w={220}
            label="Periods in a row"
            description="Measurement periods"
            min={1}
            allowDecimal={false}
            value={earlyAbort.periods}
            error={error('earlyAbort.periods')}
            onChange={(periods) => onChange({ ...earlyAbort, periods })}
          />
          <DurationField
            w={220}
            label="Warning"
            description="Before the end, on the clock of the run"
            value={earlyAbort.warnS}
            error={error('earlyAbort.warnS')}
            onChange={(warnS) => onChange({ ...earlyAbort, warnS })}
          />
        </Group>
      )}
    </Stack>
  );
}
