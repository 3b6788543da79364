import { Anchor, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { formatElapsed, formatExact } from '../../../core/base/format.ts';
import { isEnd } from '../../../core/run/run.ts';
import { phaseLeftMs, stateWords, useActiveRun } from '../../engine/activeRun.ts';
import {
  useConnectionListQuery,
  usePlanListQuery,
  useRunListQuery,
  useTestbedListQuery,
} from '../../engine/api.ts';
import { useSimulated, useWorkspace } from '../../engine/services.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { SimulatedMark } from '../../kit/SimulatedMark.tsx';
import { useOpenBundle } from '../bundle/useOpenBundle.tsx';
import { useImportPlan } from '../plans/importPlan.ts';
import { DemoCard } from './DemoCard.tsx';

/** First start: three ways in. Later: the active run, the last runs, the testbeds, the demo lab. */
export function HomePage() {
  const simulated = useSimulated();
  const connections = useConnectionListQuery({});
  const runs = useRunListQuery({});
  if (connections.error)
    return (
      <Failure
        title="The engine does not answer"
        error={connections.error as AppErrorShape}
        onRetry={() => void connections.refetch()}
      />
    );
  if (!connections.data || !runs.data) return <Pending label="home" />;
  return !simulated && connections.data.length === 0 && runs.data.length === 0 ? (
    <FirstStart />
  ) : (
    <Overview />
  );
}

function FirstStart() {
  const navigate = useNavigate();
  const importPlan = useImportPlan();
  const openBundle = useOpenBundle();
  const workspace = useWorkspace();
  return (
    <Stack gap="lg" maw={1000} mx="auto" mt="xl">
      <Title order={1}>Three ways in</Title>
      <SimpleGrid cols={3}>
        <Card
          withBorder
          style={{ borderColor: 'var(--mantine-primary-color-filled)', borderWidth: 2 }}
        >
          <Stack gap="sm" h="100%" justify="space-between">
            <div>
              <Title order={2} mb={8}>
                Open the demo lab
              </Title>
              <Text size="sm">
                A simulated lab with fifteen published studies, ready to run. Nothing to install, no
                machine to connect. Everything in it is marked SIMULATED and stays apart from real
                runs.
              </Text>
            </div>
            <Button
              size="md"
              leftSection={<IconFlask size={17} aria-hidden />}
              onClick={() => workspace.open('simulated', '/lab')}
            >
              Open the demo lab
            </Button>
          </Stack>
        </Card>
        <Card withBorder>
          <Stack gap="sm" h="100%" justify="space-between">
            <div>
              <Title order={2} mb={8}>
                Connect a real lab
              </Title>
              <Text size="sm">
                Add a vCenter, client machines and a power source, then lay out tiles on the VMs it
                has.
              </Text>
            </div>
            <Button variant="default" onClick={() => void navigate('/connections')}>
              Add connections
            </Button>
          </Stack>
        </Card>
        <Card withBorder>
          <Stack gap="sm" h="100%" justify="space-between">
            <div>
              <Title order={2} mb={8}>
                Open a file
              </Title>
              <Text size="sm">
                A bundle: somebody’s run with its samples and report, to read and compare. Or a plan
                file with connections, testbed and plan, as the practice lab writes it.
              </Text>
            </div>
            <Group gap={8}>
              <Button variant="default" onClick={() => void openBundle()}>
                Open bundle
              </Button>
              <Button variant="default" onClick={() => void importPlan()}>
                Open plan file
              </Button>
            </Group>
          </Stack>
        </Card>
      </SimpleGrid>
    </Stack>
  );
}

function Overview() {
  const navigate = useNavigate();
  const active = useActiveRun();
  const { data: runs = [] } = useRunListQuery({});
  const { data: testbeds = [] } = useTestbedListQuery({});
  const { data: plans = [] } = usePlanListQuery({});
  const ended = runs.filter((run) => isEnd(run.state)).slice(0, 6);
  const leftMs = active ? phaseLeftMs(active) : null;
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Title order={1}>Home</Title>
        <SimulatedMark />
      </Group>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Card withBorder component="section" aria-label="Active run">
          <Title order={2} mb={8}>
            Active run
          </Title>
          {active ? (
            <Stack gap={8} align="flex-start">
              <Group gap="sm">
                <Anchor component={Link} to={`/runs/${active.id}`} fw={600}>
                  {active.name}
                </Anchor>
                <RunStateBadge state={active.state} />
              </Group>
              <Text size="sm">
                {`${stateWords[active.state]}${leftMs === null ? '' : `, ${formatElapsed(leftMs)} left in this phase`}; ` +
                  `${active.workloads.filter((w) => w.state === 'running').length} of ` +
                  `${active.workloads.length} workloads running.`}
              </Text>
              <Button size="xs" onClick={() => void navigate(`/runs/${active.id}`)}>
                Live board
              </Button>
            </Stack>
          ) : (
            <Stack gap={8} align="flex-start">
              <Text size="sm" c="dimmed">
                No run is active.
              </Text>
              <Button
                size="xs"
                onClick={() => void navigate(plans.length > 0 ? '/plans' : '/plans/new')}
              >
                {plans.length > 0 ? 'Choose a plan' : 'New plan'}
              </Button>
            </Stack>
          )}
        </Card>
        <Card withBorder component="section" aria-label="Testbeds">
          <Title order={2} mb={8}>
            Testbeds
          </Title>
          {testbeds.length === 0 ? (
            <Stack gap={8} align="flex-start">
              <Text size="sm" c="dimmed">
                No testbed yet.
              </Text>
              <Button size="xs" onClick={() => void navigate('/testbeds/new')}>
                New testbed
              </Button>
            </Stack>
          ) : (
            <Stack gap={4}>
              {testbeds.slice(0, 6).map((t) => (
                <Group key={t.id} justify="space-between" wrap="nowrap">
                  <Anchor component={Link} to={`/testbeds/${t.id}`} size="sm">
                    {t.name}
                  </Anchor>
                  <Text
                    size="sm"
                    c="dimmed"
                    style={{ whiteSpace: 'nowrap' }}
                  >{`${t.tiles.length} ${t.tiles.length === 1 ? 'tile' : 'tiles'}`}</Text>
                </Group>
              ))}
            </Stack>
          )}
        </Card>
        <DemoCard />
      </SimpleGrid>
      <Card withBorder component="section" aria-label="Last runs">
        <Group justify="space-between" mb={8}>
          <Title order={2}>Last runs</Title>
          {ended.length > 0 && (
            <Anchor component={Link} to="/history" size="sm">
              All in History
            </Anchor>
          )}
        </Group>
        {ended.length === 0 ? (
          <Text size="sm" c="dimmed">
            Runs that ended appear here.
          </Text>
        ) : (
          <Stack gap={6}>
            {ended.map((run) => (
              <Group key={run.id} gap="md" wrap="nowrap">
                <Anchor component={Link} to={`/runs/${run.id}`} size="sm" style={{ flex: 1 }}>
                  {run.name}
                </Anchor>
                <RunStateBadge state={run.state} compliant={run.compliant} />
                <Text size="sm" w={110} ta="right">
                  {run.score === null ? 'no score' : formatExact(run.score, 2)}
                </Text>
                <Text size="sm" w={90} ta="right" c="dimmed">
                  {run.durationS === null ? '–' : formatElapsed(run.durationS * 1_000)}
                </Text>
              </Group>
            ))}
          </Stack>
        )}
      </Card>
    </Stack>
  );
}
