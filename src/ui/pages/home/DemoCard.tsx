import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';

import { useStudyListQuery } from '../../engine/api.ts';
import { useWorkspace } from '../../engine/services.ts';
import { StudyStateBadge } from '../../kit/StudyStateBadge.tsx';

/** The demo lab on Home: the way in, or its last studies where one is already there. */
export function DemoCard() {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const simulated = workspace.kind === 'simulated';
  const { data: studies = [] } = useStudyListQuery({}, { skip: !simulated });
  const last = [...studies]
    .filter((s) => s.startedAtMs !== null)
    .sort((a, b) => (b.startedAtMs ?? 0) - (a.startedAtMs ?? 0))
    .slice(0, 4);
  return (
    <Card component="section" aria-label="Demo lab">
      <Title order={2} mb={8}>
        Demo lab
      </Title>
      <Stack gap={8} align="flex-start">
        {last.map((s) => (
          <Group key={s.id} gap={8} w="100%" justify="space-between" wrap="nowrap">
            <Anchor component={Link} to={`/studies/${s.id}`} size="sm">
              {s.name}
            </Anchor>
            <StudyStateBadge state={s.state} />
          </Group>
        ))}
        {last.length === 0 && (
          <Text size="sm">
            {simulated
              ? 'Fifteen published studies are ready to run.'
              : 'Fifteen published studies on a simulated lab, apart from real runs.'}
          </Text>
        )}
        <Button
          size="xs"
          // Before the first study it is the one thing to press; later a run is.
          variant={simulated && last.length === 0 ? 'filled' : 'default'}
          leftSection={<IconFlask size={14} aria-hidden />}
          onClick={() => {
            if (simulated) void navigate('/lab');
            else workspace.open('simulated', '/lab');
          }}
        >
          {simulated ? 'Choose a study' : 'Open the demo lab'}
        </Button>
      </Stack>
    </Card>
  );
}
