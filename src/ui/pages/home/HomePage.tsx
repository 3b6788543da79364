import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useNavigate } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { useConnectionListQuery, useRunListQuery } from '../../engine/api.ts';
import { useSimulated, useWorkspace } from '../../engine/services.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { useOpenBundle } from '../bundle/useOpenBundle.tsx';
import { useImportPlan } from '../plans/importPlan.ts';
import { HomeOverview } from './HomeOverview.tsx';
import { PracticeCard } from './PracticeCard.tsx';
import { TilesPicture } from './TilesPicture.tsx';
import { usePracticeLab } from './usePracticeLab.ts';

/** First start: three ways in. Later: the active run, the last runs, the testbeds, the demo lab. */
export function HomePage() {
  const simulated = useSimulated();
  const connections = useConnectionListQuery({});
  const runs = useRunListQuery({});
  // What was read stays while the engine is away: the notice of the window says that it is.
  if (connections.error && !connections.data)
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
    <HomeOverview />
  );
}

function FirstStart() {
  const navigate = useNavigate();
  const importPlan = useImportPlan();
  const openBundle = useOpenBundle();
  const workspace = useWorkspace();
  const practice = usePracticeLab();
  // Who has started a practice lab came for it.
  const offered = practice.lab?.notOwn === null;
  return (
    <Stack gap="lg" maw={1000} mx="auto" mt="xl">
      <Group gap="xl" align="center" wrap="nowrap">
        <Stack gap={8} style={{ flex: 1 }}>
          <Title order={1}>Three ways in</Title>
          <Text>
            Tilebench adds tiles of VMs to your hosts until they are full, and measures what every
            tile still gets.
          </Text>
        </Stack>
        <TilesPicture />
      </Group>
      <SimpleGrid cols={3}>
        <Card
          style={
            offered ? undefined : { boxShadow: '0 0 0 2px var(--mantine-primary-color-filled)' }
          }
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
              variant={offered ? 'default' : 'filled'}
              leftSection={<IconFlask size={17} aria-hidden />}
              onClick={() => workspace.open('simulated', '/lab')}
            >
              Open the demo lab
            </Button>
          </Stack>
        </Card>
        <Card>
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
        <Card>
          <Stack gap="sm" h="100%" justify="space-between">
            <div>
              <Title order={2} mb={8}>
                Open a file
              </Title>
              <Text size="sm">
                A bundle: somebody’s run, or a story with its runs, to read, compare and present. Or
                a plan file with connections, testbed and plan.
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
      <PracticeCard {...practice} />
    </Stack>
  );
}
