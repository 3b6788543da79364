import { Button, Select, Text } from '@mantine/core';

import type { ProfileWorkload } from '../../../core/profile/profile.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Assignment } from '../../../core/testbed/testbed.ts';
import { Table } from '../../kit/Table.tsx';
import { placeOf } from './layout.ts';

interface Choice {
  value: string;
  label: string;
}
interface Props {
  tileIndex: number;
  firstOfTile: boolean;
  assignment: Assignment;
  workload: ProfileWorkload;
  inventory: Inventory | null;
  vms: readonly Choice[];
  /** Of the VMs by ref. */ names: ReadonlyMap<string, string>;
  clients: readonly Choice[];
  onSet: (patch: Partial<Assignment>) => void;
  onParameters: () => void;
}

/** The VMs to choose from, with the one that is chosen though the inventory has it no longer. */
const withCurrent = ({ vms, names, assignment: { vm } }: Props): readonly Choice[] =>
  vm === null || names.has(vm.ref)
    ? vms
    : [...vms, { value: vm.ref, label: `${vm.name} (not in the inventory)` }];

/** One workload of one tile: its VM, its client machine, and what its driver is told. */
export function AssignmentRow(props: Props) {
  const { tileIndex, firstOfTile, assignment, workload, inventory, names, clients, onSet } = props;
  const place = placeOf(inventory, assignment.vm?.ref);
  const label = `tile ${tileIndex + 1} ${workload.name}`;
  return (
    <Table.Tr style={firstOfTile ? { borderTop: '2px solid var(--tb-line)' } : undefined}>
      <Table.Td>
        {firstOfTile ? (
          tileIndex + 1
        ) : (
          <Text span c="dimmed" size="sm" aria-label={String(tileIndex + 1)}>
            ″
          </Text>
        )}
      </Table.Td>
      <Table.Td>{workload.name}</Table.Td>
      <Table.Td className="mono">{workload.driver}</Table.Td>
      <Table.Td>
        <Select
          aria-label={`VM of ${label}`}
          size="xs"
          searchable
          clearable
          limit={100}
          placeholder="No VM"
          nothingFoundMessage="No VM has this name"
          data={withCurrent(props)}
          value={assignment.vm?.ref ?? null}
          onChange={(ref) =>
            onSet({
              vm: ref === null ? null : { ref, name: names.get(ref) ?? assignment.vm?.name ?? ref },
            })
          }
        />
      </Table.Td>
      <Table.Td>{place?.host ?? '–'}</Table.Td>
      <Table.Td>{place?.datastore ?? '–'}</Table.Td>
      <Table.Td>
        <Select
          aria-label={`Client of ${label}`}
          size="xs"
          searchable
          allowDeselect={false}
          placeholder="Choose"
          data={clients}
          value={assignment.clientId || null}
          onChange={(clientId) => {
            if (clientId !== null) onSet({ clientId });
          }}
        />
      </Table.Td>
      <Table.Td>
        <Parameters {...props} label={label} />
      </Table.Td>
    </Table.Tr>
  );
}

/** What the driver is told beyond the profile; opens the panel that sets it. */
function Parameters({ assignment, label, onParameters }: Props & { label: string }) {
  const changed = Object.keys(assignment.params).length;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Parameters of ${label}`}
      aria-haspopup="dialog"
      onClick={onParameters}
    >
      {changed === 0 ? 'As profile' : `${changed} changed`}
    </Button>
  );
}
