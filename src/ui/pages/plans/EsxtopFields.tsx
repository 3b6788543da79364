import { Checkbox, Group, Stack, Text } from '@mantine/core';

import { type EsxtopPartId, esxtopParts, type EsxtopWish } from '../../../core/plan/esxtopWish.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { esxiLoginsOf } from '../../../core/testbed/usedConnections.ts';
import { useSimulated } from '../../engine/services.ts';
import { NumberField } from '../../kit/NumberField.tsx';

const usual: EsxtopWish = { everyS: 2, parts: [...esxtopParts] };
const partWords: Readonly<Record<EsxtopPartId, string>> = {
  vms: 'CPU of the VMs under load',
  devices: 'Queues and latencies of their LUNs',
  ports: 'Packets and drops of uplinks and VMs',
};

export interface EsxtopFieldsProps {
  plan: Plan;
  testbed: Testbed | undefined;
  /** What is wrong with a field, by its path. */ error: (field: string) => string | undefined;
  onChange: (esxtop: EsxtopWish | null) => void;
}

/** Whether esxtop runs beside the load, how often it prints, and what of it is kept. */
export function EsxtopFields({
  plan: { esxtop = null },
  testbed,
  error,
  onChange,
}: EsxtopFieldsProps) {
  // A simulated lab lets in whoever asks.
  const simulated = useSimulated();
  const logins = testbed === undefined ? 0 : esxiLoginsOf(testbed).length;
  if (esxtop === null && logins === 0 && !simulated) return null;
  return (
    <Stack gap="xs">
      <Checkbox
        label="Read the ESXi hosts by esxtop while load runs"
        description={
          simulated
            ? 'vCenter tells means of 20 s. In a real lab esxtop takes processor time of the hosts that are measured.'
            : 'vCenter tells means of 20 s. esxtop takes processor time of the hosts that are ' +
              'measured: compare only runs that had it alike. Not yet run on ESXi, tried on captures of its form.'
        }
        checked={esxtop !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usual : null)}
      />
      {esxtop !== null && !simulated && logins === 0 && (
        <Text size="sm">The testbed names no login to an ESXi host: nothing would be read.</Text>
      )}
      {esxtop !== null && (
        <Group align="flex-start" gap="md">
          <NumberField
            w={220}
            label="esxtop interval"
            description="Seconds from row to row, 2 to 60"
            within={[2, 60]}
            allowDecimal={false}
            value={esxtop.everyS}
            error={error('esxtop.everyS')}
            onChange={(everyS) => onChange({ ...esxtop, everyS })}
          />
          <Checkbox.Group
            label="What is kept"
            description="At most 260 columns of a host"
            error={error('esxtop.parts')}
            value={esxtop.parts}
            onChange={(chosen) =>
              onChange({ ...esxtop, parts: esxtopParts.filter((part) => chosen.includes(part)) })
            }
          >
            <Stack gap={4} my={6}>
              {esxtopParts.map((part) => (
                <Checkbox key={part} value={part} label={partWords[part]} />
              ))}
            </Stack>
          </Checkbox.Group>
        </Group>
      )}
    </Stack>
  );
}
