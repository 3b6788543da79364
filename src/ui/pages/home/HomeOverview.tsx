import { Anchor, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate } from 'react-router';

import { formatElapsed, formatExact } from '../../../core/base/format.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { overviewStateWord } from '../../../core/run/runWords.ts';
import { isEnd } from '../../../core/run/states.ts';
import { phaseLeftMs, useActiveRun } from '../../engine/activeRun.ts';
import { usePlanListQuery, useRunListQuery, useTestbedListQuery } from '../../engine/api.ts';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { DemoCard } from './DemoCard.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { PracticeCard } from './PracticeCard.tsx';
import { useNewPracticeLab } from './usePracticeLab.ts';

/** The active run, the testbeds, the demo lab and the last runs. */
export function HomeOverview() {
  const active = useActiveRun();
  const practice = useNewPracticeLab();
  return (
    <Stack gap="md">
      <Title order={1}>Home</Title>
      <FirstSteps />
      {(practice.lab ?? practice.styleTile) !== null && <PracticeCard {...practice} />}
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Card component="section" aria-label="Active run">
          <Title order={2} mb={8}>
            Active run
          </Title>
          {active ? <ActiveRun run={active} /> : <NoRun />}
        </Card>
        <Testbeds />
        <DemoCard />
      </SimpleGrid>
      <LastRuns />
    </Stack>
  );
}

function ActiveRun({ run }: { run: RunOverview }) {
  const navigate = useNavigate();
  const leftMs = phaseLeftMs(run);
  return (
    <Stack gap={8} align="flex-start">
      <Group gap="sm">
        <Anchor component={Link} to={`/runs/${run.id}`} fw={600}>
          {run.name}
        </Anchor>
        <RunStateBadge state={run.state} />
      </Group>
      <Text size="sm">
        {`${overviewStateWord(run)}${leftMs === null ? '' : `, ${formatElapsed(leftMs)} left in this phase`}; ` +
          `${run.workloads.filter((w) => w.state === 'running').length} of ` +
          `${run.workloads.length} workloads running.`}
      </Text>
      <Button size="xs" onClick={() => void navigate(`/runs/${run.id}`)}>
        Live board
      </Button>
    </Stack>
  );
}

function NoRun() {
  const navigate = useNavigate();
  const { data: plans = [] } = usePlanListQuery({});
  const { data: runs = [] } = useRunListQuery({});
  return (
    <Stack gap={8} align="flex-start">
      <Text size="sm" c="dimmed">
        No run is active.
      </Text>
      <Button
        size="xs"
        // Until the first run the next step is the one thing to press.
        variant={runs.length > 0 ? 'filled' : 'default'}
        onClick={() => void navigate(plans.length > 0 ? '/plans' : '/plans/new')}
      >
        {plans.length > 0 ? 'Choose a plan' : 'New plan'}
      </Button>
    </Stack>
  );
}

function Testbeds() {
  const navigate = useNavigate();
  const { data: testbeds = [] } = useTestbedListQuery({});
  return (
    <Card component="section" aria-label="Testbeds">
      <Title order={2} mb={8}>
        Testbeds
      </Title>
      {testbeds.length === 0 ? (
        <Stack gap={8} align="flex-start">
          <Text size="sm" c="dimmed">
            No testbed yet.
          </Text>
          <Button size="xs" variant="default" onClick={() => void navigate('/testbeds/new')}>
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
  );
}

function LastRuns() {
  const { data: runs = [] } = useRunListQuery({});
  const ended = runs.filter((run) => isEnd(run.state)).slice(0, 6);
  return (
    <Card component="section" aria-label="Last runs">
      <Group justify="space-between" mb={8}>
        <Title order={2}>Last runs</Title>
        {ended.length > 0 && (
          <Anchor component={Link} to="/runs" size="sm">
            All runs
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
  );
}
