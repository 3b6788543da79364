import { Button, Group, Stack, Title } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useNavigate } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { useStudyListQuery } from '../../engine/api.ts';
import { useWorkspace } from '../../engine/services.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { StudyList } from './StudyList.tsx';

/** Every study: what it sweeps, how far it is, where it stopped. */
export function StudiesPage() {
  const navigate = useNavigate();
  const { data, error, refetch } = useStudyListQuery({});
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1}>Studies</Title>
        <Button size="xs" onClick={() => void navigate('/studies/new')}>
          New study
        </Button>
      </Group>
      {error && !data ? (
        <Failure
          title="Studies cannot be listed"
          error={error as AppErrorShape}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <Pending label="studies" />
      ) : data.length === 0 ? (
        <NoStudies />
      ) : (
        <StudyList studies={data} />
      )}
    </Stack>
  );
}

function NoStudies() {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  return (
    <Nothing
      text={
        'A study runs a plan at several values of one parameter and charts the results as one ' +
        'curve: tiles, outstanding I/Os, LUN layouts. Studies are listed here.'
      }
      action={
        <Group gap={8}>
          <Button size="xs" onClick={() => void navigate('/studies/new')}>
            New study
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFlask size={14} aria-hidden />}
            onClick={() => {
              if (workspace.kind === 'simulated') void navigate('/lab');
              else workspace.open('simulated', '/lab');
            }}
          >
            Ready-made studies in the demo lab
          </Button>
        </Group>
      }
    />
  );
}
