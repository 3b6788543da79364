import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import { formatElapsed, formatExact } from '../../../core/base/format.ts';
import { newestFirst } from '../../../core/run/newestFirst.ts';
import type { RunSummary } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { useRunList, useRunOverview } from '../../engine/runData.ts';
import { useNow } from '../../engine/useNow.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { OriginMark } from '../../kit/OriginMark.tsx';
import { raw } from '../../kit/raw.ts';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { RunProgress } from './RunProgress.tsx';

const recent = 10;

/** Runs that are active now, and the last ones that ended. */
export function RunsPage() {
  const runs = useRunList();
  const navigate = useNavigate();
  if (runs.data === undefined)
    return runs.error ? (
      <Failure title="Runs cannot be listed" error={runs.error} onRetry={runs.retry} />
    ) : (
      <Pending label="runs" />
    );
  const ordered = newestFirst(runs.data);
  const active = ordered.filter((r) => !isEnd(r.state));
  const ended = ordered.filter((r) => isEnd(r.state));
  return (
    <Stack gap="lg">
      <Stack gap={8} component="section">
        <Title order={1}>Active runs</Title>
        {active.length === 0 ? (
          <Nothing
            text="No run is active. A launched plan appears here with its phase and time left."
            action={
              <Button size="xs" onClick={() => void navigate('/plans')}>
                Choose a plan
              </Button>
            }
          />
        ) : (
          active.map((r) => <ActiveRun key={r.id} run={r} />)
        )}
      </Stack>
      <Stack gap={8} component="section">
        <Group justify="space-between">
          <Title order={2}>Last runs</Title>
          {ended.length > recent && (
            <Anchor
              component={Link}
              to="/history"
              size="sm"
            >{`All ${ended.length} in History`}</Anchor>
          )}
        </Group>
        {ended.length === 0 ? (
          <Text c={dim}>Runs that ended appear here.</Text>
        ) : (
          <Table aria-label="Last runs" fz="sm" verticalSpacing={4} highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th ta="right">Score</Table.Th>
                <Table.Th ta="right">Tiles</Table.Th>
                <Table.Th>Started</Table.Th>
                <Table.Th ta="right">Duration</Table.Th>
                <Table.Th>Profile</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {ended.slice(0, recent).map((r) => (
                <Table.Tr key={r.id} style={{ fontVariantNumeric: 'tabular-nums' }}>
                  <Table.Td>
                    <OriginMark origin={r.origin} />
                    <Anchor component={Link} to={`/runs/${r.id}`} size="sm">
                      {r.name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    <RunStateBadge state={r.state} compliant={r.compliant} />
                  </Table.Td>
                  <Table.Td ta="right" {...raw(r.score)}>
                    {r.score === null ? '–' : formatExact(r.score, 2)}
                  </Table.Td>
                  <Table.Td ta="right">{r.tiles}</Table.Td>
                  <Table.Td>
                    {r.startedAtMs === null ? '–' : formatDateTime(r.startedAtMs)}
                  </Table.Td>
                  <Table.Td ta="right">
                    {r.durationS === null ? '–' : formatElapsed(r.durationS * 1000)}
                  </Table.Td>
                  <Table.Td>{r.profileName}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
    </Stack>
  );
}

function ActiveRun({ run }: { run: RunSummary }) {
  const overview = useRunOverview(run.id);
  const nowMs = useNow(
    overview.data?.nowMs ?? 0,
    overview.data !== undefined && !isEnd(overview.data.state),
  );
  return (
    <Paper p="sm">
      <Group gap="md" mb={8}>
        <OriginMark origin={run.origin} />
        <Anchor component={Link} to={`/runs/${run.id}`} fw={600}>
          {run.name}
        </Anchor>
        <RunStateBadge state={overview.data?.state ?? run.state} />
        <Text
          size="sm"
          c={dim}
        >{`${run.profileName}, ${counted(run.tiles, 'tile')} on ${run.testbedName}`}</Text>
      </Group>
      {overview.data && <RunProgress overview={overview.data} nowMs={nowMs} />}
    </Paper>
  );
}
