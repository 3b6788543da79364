import { ActionIcon, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowsExchange, IconClipboard, IconPlus } from '@tabler/icons-react';
import { Fragment, useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';

import { type Comparison, comparisonText } from '../../../core/compare/index.ts';
import {
  choiceFromParams,
  compareAddress,
  type CompareChoice,
  nextBaseline,
} from '../../addresses/compareAddress.ts';
import { useComparison, useRunList } from '../../engine/runData.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { usePageCommands } from '../../kit/pageCommands.ts';
import { ExportReport } from '../reports/ExportReport.tsx';
import styles from './cards.module.css';
import { CompareResult } from './CompareResult.tsx';
import { RunKey } from './RunKey.tsx';
import { RunPicker } from './RunPicker.tsx';

/** Runs side by side: `/compare?base=a&ids=b,c`. Without two runs it asks which. */
export function ComparePage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const choice = useMemo(() => choiceFromParams(params), [params]);
  const [picking, setPicking] = useState(false);
  const go = (next: CompareChoice): void => {
    setPicking(false);
    void navigate(compareAddress(next.baselineId, next.ids, next.referenceId));
  };
  if (picking || choice.baselineId === null || choice.ids.length === 0)
    return (
      <Stack gap="sm">
        <Title order={1}>Compare</Title>
        <Picking choice={choice} onCompare={go} />
        <Text size="sm">
          Whole curves, of two arrays or two settings, are compared from{' '}
          <Anchor component={Link} to="/studies" size="sm" underline="always">
            Studies
          </Anchor>
          .
        </Text>
      </Stack>
    );
  return <Compared choice={choice} onChoice={go} onPick={() => setPicking(true)} />;
}

function Picking({
  choice,
  onCompare,
}: {
  choice: CompareChoice;
  onCompare: (choice: CompareChoice) => void;
}) {
  const runs = useRunList();
  if (runs.data === undefined)
    return runs.error ? (
      <Failure title="Runs cannot be listed" error={runs.error} onRetry={runs.retry} />
    ) : (
      <Pending label="runs" />
    );
  if (runs.data.length === 0)
    return <Nothing text="No runs yet. Two finished runs can be compared here." />;
  return <RunPicker runs={runs.data} choice={choice} onCompare={onCompare} />;
}

function Compared({
  choice,
  onChoice,
  onPick,
}: {
  choice: CompareChoice;
  onChoice: (choice: CompareChoice) => void;
  onPick: () => void;
}) {
  const asked = useComparison(choice.baselineId, choice.ids, choice.referenceId);
  const swap = (): void => onChoice(nextBaseline(choice));
  const { referenceId, ...asScored } = choice;
  const scoreAgainst = (id: string | undefined): void =>
    onChoice(id === undefined ? asScored : { ...choice, referenceId: id });
  usePageCommands({ 'compare.swap': swap });
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="md">
        <Group gap="sm" style={{ minWidth: 0 }}>
          <Title order={1}>Compare</Title>
          {asked.data && <Runs comparison={asked.data} onSwap={swap} />}
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={onPick}
          >
            Choose runs
          </Button>
        </Group>
        <Actions choice={choice} comparison={asked.data} />
      </Group>
      {asked.data?.unreadable?.map(({ id, issue }) => (
        <Text key={id} size="sm" role="status">
          {`Left out: run ${id} cannot be read (${issue}). Runs exports and deletes it.`}
        </Text>
      ))}
      {asked.data ? (
        <CompareResult
          comparison={asked.data}
          repair={{ scoreAgainst, onPick, chosen: referenceId }}
        />
      ) : asked.error ? (
        <Failure title="The runs cannot be compared" error={asked.error} onRetry={asked.retry} />
      ) : (
        <Pending label="comparison" rows={10} />
      )}
    </Stack>
  );
}

/** The baseline and what is held against it, each the way to its run. */
function Runs({
  comparison: { runs, names },
  onSwap,
}: {
  comparison: Comparison;
  onSwap: () => void;
}) {
  const label = runs.length === 2 ? 'Swap baseline' : 'Next baseline';
  return (
    <div className={styles.runs}>
      {runs.map((run, i) => (
        <Fragment key={run.id}>
          {i === 1 && (
            <ActionIcon
              variant="default"
              size={28}
              aria-label={label}
              title={`${label} (B)`}
              onClick={onSwap}
            >
              <IconArrowsExchange size={16} aria-hidden />
            </ActionIcon>
          )}
          <Anchor
            component={Link}
            to={`/runs/${run.id}`}
            className={styles.run}
            title={run.name}
            size="sm"
          >
            <RunKey index={i} name={names[i]!} origin={run.origin} />
          </Anchor>
        </Fragment>
      ))}
    </div>
  );
}

function Actions({
  choice: { baselineId, ids, referenceId },
  comparison,
}: {
  choice: CompareChoice;
  comparison: Comparison | undefined;
}) {
  const scored = referenceId === undefined ? {} : { referenceId };
  return (
    <Group gap={6} wrap="nowrap" style={{ flex: 'none' }}>
      {comparison && <CopyTable comparison={comparison} />}
      {baselineId !== null && (
        <ExportReport
          of={{ kind: 'compare', baselineId, ids, ...scored }}
          disabled={comparison === undefined}
          make={(client, options, signal) =>
            client.call('report.compare', { baselineId, ids, ...scored, ...options }, signal)
          }
        />
      )}
    </Group>
  );
}

function CopyTable({ comparison }: { comparison: Comparison }) {
  const [said, setSaid] = useState('');
  const copy = (): void => {
    navigator.clipboard.writeText(comparisonText(comparison)).then(
      () => setSaid('Copied'),
      (thrown: unknown) => setSaid(`Not copied: ${String(thrown)}`),
    );
  };
  return (
    <>
      <Text size="xs" role="status">
        {said}
      </Text>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconClipboard size={14} aria-hidden />}
        onClick={copy}
      >
        Copy table
      </Button>
    </>
  );
}
