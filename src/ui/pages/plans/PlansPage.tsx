import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { formatElapsed } from '../../../core/base/format.ts';
import { type Plan, planDurationS } from '../../../core/plan/plan.ts';
import {
  usePlanListQuery,
  usePlanRemoveMutation,
  usePlanSaveMutation,
  useTestbedListQuery,
} from '../../engine/api.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { Table } from '../../kit/Table.tsx';
import { useImportPlan } from './importPlan.ts';

/** Every plan, with what it runs and for how long. Removing one can be undone. */
export function PlansPage() {
  const navigate = useNavigate();
  const { data, error, refetch } = usePlanListQuery({});
  const { data: testbeds = [] } = useTestbedListQuery({});
  const [remove] = usePlanRemoveMutation();
  const [save] = usePlanSaveMutation();
  const importPlan = useImportPlan();
  const actions = (
    <Group gap={8}>
      <Button variant="default" onClick={() => void importPlan()}>
        Import plan file
      </Button>
      <Button onClick={() => void navigate('/plans/new')}>New plan</Button>
    </Group>
  );
  const removeWithUndo = async (plan: Plan): Promise<void> => {
    if ((await remove({ id: plan.id })).error) return;
    notifications.show({
      message: (
        <Group justify="space-between">
          <Text size="sm">{`${plan.name} removed.`}</Text>
          <Button size="compact-xs" variant="default" onClick={() => void save(plan)}>
            Undo
          </Button>
        </Group>
      ),
      autoClose: 15_000,
    });
  };
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1}>Plans</Title>
        {actions}
      </Group>
      {error ? (
        <Failure
          title="Plans cannot be listed"
          error={error as AppErrorShape}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <Pending label="plans" />
      ) : data.length === 0 ? (
        <Nothing
          text="A plan says what runs on which testbed, for how long, and how it is measured."
          action={actions}
        />
      ) : (
        <Table aria-label="Plans" fz="sm" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Testbed</Table.Th>
              <Table.Th ta="right">Tiles</Table.Th>
              <Table.Th ta="right">Duration</Table.Th>
              <Table.Th ta="right">Periods</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.map((plan) => (
              <Table.Tr key={plan.id}>
                <Table.Td>
                  <Anchor component={Link} to={`/plans/${plan.id}`} size="sm">
                    {plan.name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{testbeds.find((t) => t.id === plan.testbedId)?.name ?? '–'}</Table.Td>
                <Table.Td ta="right">{plan.tiles}</Table.Td>
                <Table.Td ta="right">{formatElapsed(planDurationS(plan.phases) * 1_000)}</Table.Td>
                <Table.Td ta="right">{plan.phases.periods}</Table.Td>
                <Table.Td>
                  <Group justify="flex-end">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove ${plan.name}`}
                      onClick={() => void removeWithUndo(plan)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
