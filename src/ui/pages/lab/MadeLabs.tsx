import { Anchor, Button, List, Stack, Text, VisuallyHidden } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import type { MadeLab } from '../../../core/customerLab/madeLab.ts';
import { useCustomerLabRemoveMutation } from '../../engine/api.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

/** Labs that were made of a customer's hosts, each with its study and the way to remove it whole. */
export function MadeLabs({ labs }: { labs: readonly MadeLab[] }) {
  const [remove, removing] = useCustomerLabRemoveMutation();
  const ask = (lab: MadeLab): void =>
    askRemove(lab, () => {
      void remove({ id: lab.id }).then(({ error }) => {
        if (!error)
          notifications.show({ message: `Lab ${lab.name} removed. Its runs stay in Runs.` });
      });
    });
  return (
    <Table aria-label="Made labs" fz="sm" verticalSpacing={4} maw={1180}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Lab</Table.Th>
          <Table.Th ta="right">Hosts</Table.Th>
          <Table.Th ta="right">VMs</Table.Th>
          <Table.Th>Study</Table.Th>
          <Table.Th>In use</Table.Th>
          <Table.Th>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {labs.map((lab) => (
          <Table.Tr key={lab.id} style={{ fontVariantNumeric: 'tabular-nums' }}>
            <Table.Td>{lab.name}</Table.Td>
            <Table.Td ta="right">{lab.hosts}</Table.Td>
            <Table.Td ta="right">{lab.vms}</Table.Td>
            <Table.Td>
              {lab.studyId === null ? (
                <Text span size="sm" c={dim}>
                  none
                </Text>
              ) : (
                <Anchor component={Link} to={`/studies/${lab.studyId}`} size="sm">
                  {lab.studies[0]}
                </Anchor>
              )}
            </Table.Td>
            <Table.Td>{lab.run === null ? 'No' : `By run ${lab.run}`}</Table.Td>
            <Table.Td ta="right">
              <Button
                size="compact-xs"
                variant="subtle"
                color="red"
                leftSection={<IconTrash size={13} aria-hidden />}
                aria-label={`Remove lab ${lab.name}`}
                loading={removing.isLoading && removing.originalArgs?.id === lab.id}
                onClick={() => ask(lab)}
              >
                Remove
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Says by name what goes with the lab, and what stays. */
function askRemove(lab: MadeLab, onConfirm: () => void): void {
  const goes = [
    counted(lab.connections, 'connection'),
    ...named('Testbed', lab.testbeds),
    ...named('Plan', lab.plans),
    ...named('Study', lab.studies),
  ];
  modals.openConfirmModal({
    title: `Remove lab ${lab.name}`,
    labels: { confirm: 'Remove the lab', cancel: 'Keep' },
    confirmProps: { color: 'red.9' },
    closeButtonProps: { 'aria-label': 'Close' },
    children: (
      <Stack gap={8}>
        <Text size="sm">{`With its ${counted(lab.hosts, 'host')} these will be gone:`}</Text>
        <List size="sm" aria-label="What goes">
          {goes.map((what) => (
            <List.Item key={what}>{what}</List.Item>
          ))}
        </List>
        <Text size="sm">
          Its runs stay in Runs, with results, charts and set-up; they cannot be run again.
        </Text>
      </Stack>
    ),
    onConfirm,
  });
}

const named = (kind: string, names: readonly string[]): string[] =>
  names.map((name) => `${kind} ${name}`);
