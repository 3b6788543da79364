import { Anchor, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { isEnd, type RunSummary } from '../../shared/run.ts';
import { formatElapsed, formatExact, formatSi } from '../charts/format.ts';
import { Failure, Pending } from '../runs/LoadState.tsx';
import { useRunRecord } from '../runs/runData.ts';
import { StudyLink } from '../studies/StudyLink.tsx';
import { RunStateBadge } from '../runs/RunStateBadge.tsx';
import { formatDateTime } from './historyColumns.tsx';
import { replayPath } from '../replay/replayAddress.ts';
import { dim } from '../runs/tones.ts';

/** The run under the cursor of the history: enough to know it, one step from its page. */
export function RunPreview({ run }: { run: RunSummary | undefined }) {
  return <Paper withBorder p="sm" role="region" aria-label="Preview" style={{ height: '100%', overflow: 'auto' }}>{run === undefined ? <Text size="sm" c={dim}>A run chosen in the table is shown here.</Text> : <Preview key={run.id} run={run} />}</Paper>;
}

function Preview({ run }: { run: RunSummary }) {
  const record = useRunRecord(run.id, run.state);
  const facts: [string, string][] = [
    ['Score', run.score === null ? 'none' : `${formatExact(run.score, 2)} × reference`], ['Tiles', String(run.tiles)], ['Started', run.startedAtMs === null ? 'not started' : formatDateTime(run.startedAtMs)],
    ['Duration', run.durationS === null ? '–' : formatElapsed(run.durationS * 1000)], ['Mean power', run.meanPowerW === null ? 'not measured' : `${formatSi(run.meanPowerW)} W`],
    ['Profile', run.profileName], ['Testbed', run.testbedName], ['Origin', run.origin === 'real' ? 'Real machines' : run.origin.toUpperCase()], ['Samples', formatSi(run.sampleCount)],
  ];
  return (
    <Stack gap={8}>
      <Title order={2} style={{ overflowWrap: 'anywhere' }}>{run.name}</Title>
      <RunStateBadge state={run.state} compliant={run.compliant} />
      {run.study !== null && <Text size="sm">Point of the study <StudyLink study={run.study} /></Text>}
      {record.data?.overview.verdict && <Text size="sm">{record.data.overview.verdict.sentence}</Text>}
      <Table aria-label="Facts" fz="sm" verticalSpacing={2}><Table.Tbody>{facts.map(([label, value]) => <Table.Tr key={label}><Table.Th w={104} scope="row" fw={500}>{label}</Table.Th><Table.Td>{value}</Table.Td></Table.Tr>)}</Table.Tbody></Table>
      {record.data && record.data.overview.findings.length > 0 && <Stack gap={2}><Text size="sm" fw={600}>Findings</Text>{record.data.overview.findings.slice(0, 4).map((f) => <Text key={`${f.id}@${f.tMs}`} size="sm">{f.text}</Text>)}</Stack>}
      {record.loading && <Pending label="preview" rows={2} />}
      {record.error && <Failure title="Details cannot be read" error={record.error} onRetry={record.retry} />}
      <Group gap="md">
        <Anchor component={Link} to={`/runs/${run.id}`} size="sm">Open run</Anchor>
        {isEnd(run.state) && run.startedAtMs !== null && <Anchor component={Link} to={replayPath(run.id)} size="sm">Replay</Anchor>}
      </Group>
    </Stack>
  );
}
