import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';

import {
  useConnectionListQuery,
  usePlanListQuery,
  useRunListQuery,
  useTestbedListQuery,
} from '../../engine/api.ts';
import { useSimulated } from '../../engine/services.ts';
import { StateMark } from '../../kit/StateMark.tsx';
import classes from './home.module.css';

interface Step {
  name: string;
  help: string;
  done: boolean;
  act: string;
  to: string;
}

/** The way from the first connection to the first run; gone once a run was started. */
export function FirstSteps() {
  const simulated = useSimulated();
  const { data: connections } = useConnectionListQuery({});
  const { data: testbeds } = useTestbedListQuery({});
  const { data: plans } = usePlanListQuery({});
  const { data: runs } = useRunListQuery({});
  if (simulated || !connections || !testbeds || !plans || !runs || runs.length > 0) return null;
  const steps: Step[] = [
    {
      name: 'Connect',
      help: 'vCenter, client machines, power',
      done: connections.some(({ kind }) => kind === 'client'),
      act: 'Add connections',
      to: '/connections',
    },
    {
      name: 'Testbed',
      help: 'Which VM and client each workload has',
      done: testbeds.length > 0,
      act: 'New testbed',
      to: '/testbeds/new',
    },
    {
      name: 'Plan',
      help: 'How many tiles, and how long',
      done: plans.length > 0,
      act: 'New plan',
      to: '/plans/new',
    },
    {
      name: 'Run',
      help: 'Check and launch in one click',
      done: false,
      act: 'Open the plan',
      to: plans[0] ? `/plans/${plans[0].id}` : '/plans',
    },
  ];
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Card component="section" aria-label="First steps">
      <Title order={2} mb={12}>
        {`First steps: ${steps.filter(({ done }) => done).length} of ${steps.length} done`}
      </Title>
      <ol className={classes.steps}>
        {steps.map(({ name, help, done, act, to }, index) => (
          <li key={name} aria-current={index === next ? 'step' : undefined}>
            <Stack gap={6} align="flex-start">
              <Group gap={8}>
                <Text fw={600} size="sm">{`${index + 1}. ${name}`}</Text>
                <StateMark
                  tone={done ? 'ok' : index === next ? 'run' : 'idle'}
                  word={done ? 'Done' : index === next ? 'Next' : 'Later'}
                />
              </Group>
              <Text size="sm" c="dimmed">
                {help}
              </Text>
              {index === next && (
                <Button size="xs" component={Link} to={to}>
                  {act}
                </Button>
              )}
            </Stack>
          </li>
        ))}
      </ol>
    </Card>
  );
}
