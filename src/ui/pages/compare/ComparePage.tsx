import { Anchor, Button, Group, Kbd, Stack, Text, Title } from '@mantine/core';
import { IconArrowsExchange, IconClipboard, IconListCheck } from '@tabler/icons-react';
import { use, useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';

import { type Comparison, comparisonText, namesBeside } from '../../../core/compare/index.ts';
import {
  choiceFromParams,
  compareAddress,
  type CompareChoice,
  nextBaseline,
} from '../../addresses/compareAddress.ts';
import { useComparison, useRunList, useRunRecords } from '../../engine/runData.ts';
import { useClient } from '../../engine/services.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { ChartMarkContext, markOfAll } from '../../kit/mark.ts';
import { usePageCommands } from '../../kit/pageCommands.ts';
import { StudyLink } from '../../kit/StudyLink.tsx';
import { dim } from '../../kit/tones.ts';
import { TwoRunDiagnosis } from '../diagnosis/RunDiagnosis.tsx';
import { ExportReport } from '../reports/ExportReport.tsx';
import { RunSetupDiff } from '../snapshot/RunSetupDiff.tsx';
import { CompareVerdict, type Repair } from './CompareVerdict.tsx';
import { DeltaMatrix } from './DeltaMatrix.tsx';
import { DistributionSection } from './DistributionSection.tsx';
import { MetricTable } from './MetricTable.tsx';
import { Overlays } from './Overlays.tsx';
import { RunPicker } from './RunPicker.tsx';
import { SetupDiff } from './SetupDiff.tsx';
import { TestTable } from './TestTable.tsx';

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
  const scored = referenceId === undefined ? {} : { referenceId };
  const scoreAgainst = (id: string | undefined): void =>
    onChoice(id === undefined ? asScored : { ...choice, referenceId: id });
  usePageCommands({ 'compare.swap': swap });
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1}>Compare</Title>
        <Group gap={6}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconListCheck size={14} aria-hidden />}
            onClick={onPick}
          >
            Choose runs
          </Button>
          {asked.data && <CopyTable comparison={asked.data} />}
          {choice.baselineId !== null && (
            <ExportReport
              of={{ kind: 'compare', baselineId: choice.baselineId, ids: choice.ids, ...scored }}
              disabled={asked.data === undefined}
              make={(client, options, signal) =>
                client.call(
                  'report.compare',
                  { baselineId: choice.baselineId!, ids: choice.ids, ...scored, ...options },
                  signal,
                )
              }
            />
          )}
          <Button
            size="xs"
            leftSection={<IconArrowsExchange size={14} aria-hidden />}
            rightSection={<Kbd size="xs">B</Kbd>}
            onClick={swap}
          >
            {choice.ids.length === 1 ? 'Swap baseline' : 'Next baseline'}
          </Button>
        </Group>
      </Group>
      {asked.data?.unreadable?.map(({ id, issue }) => (
        <Text key={id} size="sm" role="status">
          {`Left out: run ${id} cannot be read (${issue}). History exports and deletes it.`}
        </Text>
      ))}
      {asked.data ? (
        <Result comparison={asked.data} repair={{ scoreAgainst, onPick, chosen: referenceId }} />
      ) : asked.error ? (
        <Failure title="The runs cannot be compared" error={asked.error} onRetry={asked.retry} />
      ) : (
        <Pending label="comparison" rows={10} />
      )}
    </Stack>
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

/** Runs of one study are told by their points; the study is named once. */
function shortened(comparison: Comparison): Comparison {
  const names = namesBeside(comparison.runs);
  return { ...comparison, runs: comparison.runs.map((run, i) => ({ ...run, name: names[i]! })) };
}

function Result({ comparison: given, repair }: { comparison: Comparison; repair: Repair }) {
  const client = useClient();
  const comparison = useMemo(() => shortened(given), [given]);
  const study =
    comparison.runs[0]!.name === given.runs[0]!.name
      ? null
      : {
          id: comparison.runs[0]!.study!.id,
          name: given.runs[0]!.name.slice(0, -comparison.runs[0]!.name.length).replace(/: $/, ''),
        };
  const records = useRunRecords(comparison.runs.map((r) => r.id));
  const outer = use(ChartMarkContext);
  return (
    <ChartMarkContext value={outer ?? markOfAll(comparison.runs.map((r) => r.origin))}>
      <CompareVerdict comparison={comparison} repair={repair} />
      {study !== null && (
        <Text size="sm">
          All are runs of the study <StudyLink study={study} name={study.name} />.
        </Text>
      )}
      <Stack gap={6} component="section">
        <Title order={2}>What differs</Title>
        <SetupDiff comparison={comparison} />
        {records.data?.length === 2 && <RunSetupDiff records={records.data} />}
      </Stack>
      <Stack gap={6} component="section">
        <Title order={2}>Metrics</Title>
        <MetricTable comparison={comparison} />
      </Stack>
      {comparison.guards.length === 0 && (
        <Stack gap={6} component="section">
          <Title order={2}>Is it real</Title>
          <TestTable comparison={comparison} />
        </Stack>
      )}
      <Stack gap={6} component="section">
        <Title order={2}>Tile by tile</Title>
        <DeltaMatrix comparison={comparison} />
      </Stack>
      {comparison.runs.length === 2 && comparison.guards.length === 0 && (
        <Stack gap={6} component="section">
          <Title order={2}>Why</Title>
          <Text size="xs" c={dim}>
            The baseline is taken as the run that is well. Swap it (B) to ask the other way.
          </Text>
          <TwoRunDiagnosis
            passId={comparison.baselineId}
            failId={comparison.runs.find((one) => one.id !== comparison.baselineId)!.id}
          />
        </Stack>
      )}
      <Stack gap={6} component="section">
        <Title order={2}>Distributions</Title>
        <DistributionSection comparison={comparison} />
      </Stack>
      <Stack gap={6} component="section">
        <Title order={2}>Over time in the run</Title>
        {records.data ? (
          <Overlays client={client} records={records.data} />
        ) : records.error ? (
          <Failure title="Charts cannot be drawn" error={records.error} onRetry={records.retry} />
        ) : (
          <Pending label="charts" />
        )}
      </Stack>
    </ChartMarkContext>
  );
}
