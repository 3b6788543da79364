import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';

import { formatElapsed, formatExact, formatSi, quantityText } from '../../../core/base/format.ts';
import type { HistoryEntry } from '../../../core/history/history.ts';
import { isEnd } from '../../../core/run/states.ts';
import { replayPath } from '../../addresses/replayPath.ts';
import { useRunRecord } from '../../engine/runData.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { StudyLink } from '../../kit/StudyLink.tsx';
import { StudyStateBadge } from '../../kit/StudyStateBadge.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { useFirst } from '../../kit/useFirst.tsx';
import { formatBytes, pathOf } from './entryWords.ts';
import styles from './history.module.css';
import { useHistoryNotes } from './historyData.ts';
import { Markdown } from './notes/Markdown.tsx';
import { NotesEditor } from './notes/NotesEditor.tsx';

interface Props {
  entry: HistoryEntry | undefined;
  editingNotes: boolean;
  onEditNotes: (editing: boolean) => void;
  onTags: () => void;
  onFolder: () => void;
}

/** The run or study under the cursor of the history: enough to know it, one step from its page. */
export function EntryPreview({ entry, ...rest }: Props) {
  return (
    <Paper
      p="sm"
      role="region"
      aria-label="Preview"
      className={styles.preview}
      data-empty={entry === undefined || undefined}
      style={{ overflow: 'auto' }}
    >
      {entry === undefined ? (
        <Text size="sm" c={dim}>
          What is chosen in the table is shown here.
        </Text>
      ) : (
        <Preview key={`${entry.kind} ${entry.id}`} entry={entry} {...rest} />
      )}
    </Paper>
  );
}

function factsOf(entry: HistoryEntry): [string, string][] {
  const origin: [string, string] = [
    'Origin',
    entry.origin === 'real' ? 'Real machines' : entry.origin.toUpperCase(),
  ];
  const common: [string, string][] = [
    ['Folder', entry.folder ?? 'none'],
    ['Tags', entry.tags.length === 0 ? 'none' : entry.tags.join(', ')],
    ...(entry.hosts.length === 0
      ? []
      : [['Hosts', entry.hosts.join(', ')] satisfies [string, string]]),
    ['Storage', entry.storageBytes === null ? 'not measured yet' : formatBytes(entry.storageBytes)],
  ];
  const started: [string, string] = [
    'Started',
    entry.startedAtMs === null ? 'not started' : formatDateTime(entry.startedAtMs),
  ];
  if (entry.kind === 'study')
    return [
      ['Points', `${entry.done} of ${entry.total}`],
      ['Sweeps', entry.axis],
      started,
      origin,
      ...common,
    ];
  return [
    ['Score', entry.score === null ? 'none' : `${formatExact(entry.score, 2)} × reference`],
    ['Tiles', String(entry.tiles)],
    started,
    ['Duration', entry.durationS === null ? '–' : formatElapsed(entry.durationS * 1000)],
    [
      'Mean power',
      entry.meanPowerW === null ? 'not measured' : quantityText(entry.meanPowerW, 'W'),
    ],
    ['Profile', entry.profileName],
    ['Testbed', entry.testbedName],
    origin,
    ['Samples', `${formatSi(entry.sampleCount)}${entry.thinnedAtMs === null ? '' : ', thinned'}`],
    ...common,
  ];
}

function Preview({
  entry,
  editingNotes,
  onEditNotes,
  onTags,
  onFolder,
}: Omit<Props, 'entry'> & { entry: HistoryEntry }) {
  return (
    <Stack gap={8}>
      <Title order={2} style={{ overflowWrap: 'anywhere' }}>
        {entry.name}
      </Title>
      <div>
        {entry.kind === 'run' ? (
          <RunStateBadge state={entry.state} compliant={entry.compliant} />
        ) : (
          <StudyStateBadge state={entry.state} />
        )}
      </div>
      {entry.kind === 'run' && entry.study !== null && (
        <Text size="sm">
          Point of the study <StudyLink study={entry.study} />
        </Text>
      )}
      <Group gap="md">
        <Anchor component={Link} to={pathOf(entry)} size="sm">
          {entry.kind === 'run' ? 'Open run' : 'Open study'}
        </Anchor>
        {entry.kind === 'run' && isEnd(entry.state) && entry.startedAtMs !== null && (
          <Anchor component={Link} to={replayPath(entry.id)} size="sm">
            Replay
          </Anchor>
        )}
      </Group>
      {entry.kind === 'run' && <RunParts id={entry.id} state={entry.state} />}
      <Table aria-label="Facts" fz="sm" verticalSpacing={2}>
        <Table.Tbody>
          {factsOf(entry).map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th w={92} scope="row" fw={500}>
                {label}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {entry.kind === 'run' && <Totals run={entry} />}
      {entry.deletedAtMs === null && (
        <Group gap={6}>
          <Button size="compact-xs" variant="default" onClick={onTags}>
            Tags…
          </Button>
          <Button size="compact-xs" variant="default" onClick={onFolder}>
            Folder…
          </Button>
        </Group>
      )}
      <Title order={3}>Notes</Title>
      {entry.deletedAtMs === null ? (
        <NotesEditor
          item={{ kind: entry.kind, id: entry.id }}
          editing={editingNotes}
          onEditing={onEditNotes}
        />
      ) : entry.noteHead === null ? (
        <Text size="sm" c={dim}>
          No notes.
        </Text>
      ) : (
        <DeletedNotes entry={entry} />
      )}
    </Stack>
  );
}

/** What each workload did, all tiles together: a line each. */
function Totals({ run }: { run: Extract<HistoryEntry, { kind: 'run' }> }) {
  const totals = (run.totals ?? []).filter(({ total }) => total !== null);
  if (totals.length === 0) return null;
  return (
    <Table aria-label="Totals" fz="sm" verticalSpacing={2}>
      <Table.Caption style={{ captionSide: 'top', textAlign: 'left', margin: 0 }}>
        Totals of all tiles
      </Table.Caption>
      <Table.Tbody>
        {totals.map(({ name, unit, total }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={500}>
              {name}
            </Table.Th>
            <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
              {quantityText(total!, unit)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Verdict and findings, from the record of the run. */
function RunParts({ id, state }: { id: string; state: string }) {
  const record = useRunRecord(id, state);
  const findings = record.data?.overview.findings ?? [];
  const { shown, more } = useFirst(findings, 3);
  return (
    <>
      {record.data?.overview.verdict && (
        <Text size="sm">{record.data.overview.verdict.sentence}</Text>
      )}
      {findings.length > 0 && (
        <Stack gap={2} align="flex-start">
          <Title order={3}>{`Findings (${findings.length})`}</Title>
          {shown.map((f) => (
            <Text key={`${f.id}@${f.tMs}`} size="sm">
              {f.text}
            </Text>
          ))}
          {more}
        </Stack>
      )}
      {record.loading && <Pending label="preview" rows={2} />}
      {record.error && (
        <Failure title="Details cannot be read" error={record.error} onRetry={record.retry} />
      )}
    </>
  );
}

function DeletedNotes({ entry }: { entry: HistoryEntry }) {
  const { markdown } = useHistoryNotes({ kind: entry.kind, id: entry.id });
  return <Markdown text={markdown ?? entry.noteHead ?? ''} />;
}
