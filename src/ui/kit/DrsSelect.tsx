import { NativeSelect } from '@mantine/core';

import { counted } from '../../core/base/counted.ts';
import type { LabSpec } from '../../core/lab/lab.ts';
import type { LabEdit } from '../../core/lab/labEdit.ts';

/** The scheduler of a simulated cluster: off, or how readily it moves VMs. */
export function DrsSelect({
  drs,
  apply,
}: {
  drs: LabSpec['drs'];
  apply: (edit: LabEdit) => unknown;
}) {
  return (
    <NativeSelect
      label="DRS"
      description="1 star moves most readily, 5 least"
      value={drs.enabled ? String(drs.stars) : 'off'}
      data={[
        { value: 'off', label: 'Off: VMs stay where they start' },
        ...[1, 2, 3, 4, 5].map((stars) => ({
          value: String(stars),
          label: counted(stars, 'star'),
        })),
      ]}
      onChange={(event) => {
        const { value } = event.currentTarget;
        apply({
          kind: 'drs',
          enabled: value !== 'off',
          stars: value === 'off' ? drs.stars : Number(value),
        });
      }}
    />
  );
}
