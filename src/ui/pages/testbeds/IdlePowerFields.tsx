import { Group, Select } from '@mantine/core';

import type { Testbed } from '../../../core/testbed/testbed.ts';
import { NumberField } from '../../kit/NumberField.tsx';

type IdlePower = Testbed['idlePower'];

const choices = [
  { value: 'none', label: 'Not known' },
  { value: 'given', label: 'Given by hand' },
  { value: 'measured', label: 'Measured before each run' },
];
/** What each choice begins with. */
const beginnings: Readonly<Record<string, IdlePower>> = {
  none: null,
  // No figure is proposed: it is the user's own reading.
  given: { by: 'given', watts: NaN, windowS: 60 },
  measured: { by: 'measured', windowS: 60 },
};

/** What the machines use without load: results tell what load adds to it. */
export function IdlePowerFields({
  testbed,
  onChange,
}: {
  testbed: Testbed;
  onChange: (label: string, testbed: Testbed) => void;
}) {
  const idle = testbed.idlePower ?? null;
  const set = (idlePower: IdlePower): void =>
    onChange('Set the idle power', { ...testbed, idlePower });
  return (
    <Group align="flex-start" gap="md">
      <Select
        label="Idle power"
        description="Without load, all sources together"
        allowDeselect={false}
        data={choices}
        value={idle?.by ?? 'none'}
        onChange={(by) => set(beginnings[by ?? 'none'] ?? null)}
      />
      {idle?.by === 'given' && (
        <NumberField
          label="Idle watts"
          description="Read by you, in W"
          within={[0.1, 10_000_000]}
          value={idle.watts}
          onChange={(watts) => set({ ...idle, watts })}
        />
      )}
      {idle !== null && (
        <NumberField
          label={idle.by === 'given' ? 'Watched for' : 'Measure for'}
          description={
            idle.by === 'given'
              ? 'Seconds'
              : 'Seconds, before the load of each run: it takes so much longer'
          }
          within={idle.by === 'given' ? [1, 86_400] : [10, 3_600]}
          allowDecimal={false}
          value={idle.windowS}
          onChange={(windowS) => set({ ...idle, windowS })}
        />
      )}
    </Group>
  );
}
