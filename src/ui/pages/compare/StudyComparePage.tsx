import { Anchor, Badge, Button, Group, Kbd, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { runStyle } from '../../../core/chart/palette.ts';
import type { StudyComparison } from '../../../core/study/studyComparison.ts';
import {
  curveChart,
  gapChart,
  type MeasureChoice,
  measureChoices,
  nextCurve,
  studyCompareAddress,
  studyComparisonText,
} from '../../../core/study/studyCurves.ts';
import { XyChart } from '../../charts/xy/XyChart.tsx';
import { useStudyCompareQuery } from '../../engine/api.ts';
import { oneChunk } from '../../engine/oneChunk.ts';
import { useDesktop, useSimulated } from '../../engine/services.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { OriginMark } from '../../kit/OriginMark.tsx';
import { usePageCommands } from '../../kit/pageCommands.ts';
import { dim } from '../../kit/tones.ts';
import { ExportReport } from '../reports/ExportReport.tsx';
import { AllMeasures } from './AllMeasures.tsx';
import { GuardBanner } from './CompareVerdict.tsx';
import { GapTable } from './GapTable.tsx';

/**
 * Curves of studies over each other: `/compare/studies?ids=a,b&base=<curve>`. One study with
 * several curves is enough.
 */
export function StudyComparePage() {
  const [params] = useSearchParams();
  const ids = useMemo(
    () => [...new Set((params.get('ids') ?? '').split(',').filter(Boolean))].slice(0, 8),
    [params],
  );
  const base = params.get('base') ?? undefined;
  if (ids.length === 0)
    return (
      <Stack gap="sm">
        <Title order={1}>Compare studies</Title>
        <Nothing
          text="Studies to compare are chosen in their list."
          action={
            <Button size="xs" component={Link} to="/studies">
              Studies
            </Button>
          }
        />
      </Stack>
    );
  return <Compared ids={ids} base={base} />;
}

function Compared({ ids, base }: { ids: readonly string[]; base: string | undefined }) {
  const navigate = useNavigate();
  const {
    currentData: data,
    error,
    refetch,
  } = useStudyCompareQuery({ ids: [...ids], ...(base === undefined ? {} : { baseline: base }) });
  const swap = (): void => {
    if (data) void navigate(studyCompareAddress(ids, nextCurve(data.curves.map((c) => c.key))));
  };
  usePageCommands({ 'compare.swap': swap });
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1}>Compare studies</Title>
        <Group gap={6}>
          {data && <CopyCurves data={data} />}
          <ExportReport
            of={{
              kind: 'studies',
              ids: [...ids],
              ...(base === undefined ? {} : { baseline: base }),
            }}
            disabled={!data}
            make={(client, options, signal) =>
              client.call(
                'report.studies',
                { ids: [...ids], ...(base === undefined ? {} : { baseline: base }), ...options },
                signal,
              )
            }
          />
          <Button
            size="xs"
            leftSection={<IconArrowsExchange size={14} aria-hidden />}
            rightSection={<Kbd size="xs">B</Kbd>}
            disabled={!data || data.curves.length < 2}
            onClick={swap}
          >
            {data?.curves.length === 2 ? 'Swap baseline' : 'Next baseline'}
          </Button>
        </Group>
      </Group>
      {data ? (
        <Result data={data} />
      ) : error ? (
        <Failure
          title="The studies cannot be compared"
          error={error as AppErrorShape}
          onRetry={() => void refetch()}
        />
      ) : (
        <Pending label="comparison" rows={10} />
      )}
    </Stack>
  );
}

function CopyCurves({ data }: { data: StudyComparison }) {
  const [said, setSaid] = useState('');
  const copy = (): void => {
    navigator.clipboard.writeText(studyComparisonText(data)).then(
      () => setSaid('Copied'),
      (thrown: unknown) => setSaid(`Not copied: ${String(thrown)}`),
    );
  };
  return (
    <>
      <Text size="xs" role="status">
        {said}
      </Text>
      <Button size="xs" variant="default" onClick={copy}>
        Copy tables
      </Button>
    </>
  );
}

function Result({ data }: { data: StudyComparison }) {
  const [key, setKey] = useState<string | null>(null);
  const choices = useMemo(() => measureChoices(data), [data]);
  const choice = choices.find((c) => c.measure === key) ?? choices[0];
  return (
    <>
      <GuardBanner guards={data.guards} />
      <Title order={2} fz={20} data-testid="verdict">
        {data.sentence}
      </Title>
      {data.qos.some((text) => text !== '') && <QosLines data={data} />}
      <CurveKey data={data} />
      {choice === undefined ? (
        <Nothing
          text={
            'None of these curves has a measured point yet. Start the study; its points appear ' +
            'here.'
          }
        />
      ) : (
        <>
          <NativeSelect
            size="xs"
            w={320}
            aria-label="Measure"
            value={choice.measure}
            data={choices.map((c) => ({ value: c.measure, label: c.title }))}
            onChange={(e) => setKey(e.currentTarget.value)}
          />
          <Curves data={data} choice={choice} />
          <Stack gap={6} component="section">
            <Title order={2}>The gap at each value</Title>
            <GapTable data={data} choice={choice} />
            <Text
              size="xs"
              c={dim}
            >{`Only values that both curves measured have a gap; nothing is interpolated. ${gapNote(choice)}`}</Text>
          </Stack>
          <Stack gap={6} component="section">
            <Title order={2}>All measures</Title>
            <AllMeasures data={data} choices={choices} />
          </Stack>
        </>
      )}
    </>
  );
}

/** What each curve kept or missed of its QoS limits. */
function QosLines({ data }: { data: StudyComparison }) {
  return (
    <Stack component="ul" gap={2} aria-label="Quality of service" style={plainList}>
      {data.qos.flatMap((text, i) =>
        text === ''
          ? []
          : [
              <Text key={data.curves[i]!.key} component="li" size="sm">
                {text}
              </Text>,
            ],
      )}
    </Stack>
  );
}

/** Line, origin and name of each curve; the baseline stands first. */
function CurveKey({ data }: { data: StudyComparison }) {
  const simulated = useSimulated();
  return (
    <Group gap="md" component="ul" aria-label="Curves" style={plainList}>
      {data.curves.map((c, i) => (
        <Group key={c.key} component="li" gap={6} wrap="nowrap">
          <svg width={18} height={8} aria-hidden>
            <line
              x1={0}
              x2={18}
              y1={4}
              y2={4}
              stroke={runStyle(i).color}
              strokeWidth={3}
              strokeDasharray={runStyle(i).dash.join(' ')}
            />
          </svg>
          {!simulated && <OriginMark origin={c.origin} />}
          <Anchor component={Link} to={`/studies/${c.studyId}`} size="sm">
            {c.name}
          </Anchor>
          {i === 0 && (
            <Badge size="xs" variant="outline" color="gray" tt="none">
              baseline
            </Badge>
          )}
          {c.points === 0 && (
            <Text size="xs" c={dim}>
              nothing measured yet
            </Text>
          )}
        </Group>
      ))}
    </Group>
  );
}

/** All curves of one measure, and below them their gaps to the baseline. */
function Curves({ data, choice }: { data: StudyComparison; choice: MeasureChoice }) {
  const desktop = useDesktop();
  const curve = useMemo(() => curveChart(data, choice), [data, choice]);
  const gap = useMemo(() => gapChart(data, choice), [data, choice]);
  const save = (name: string, text: string): void => {
    void desktop.saveFile(name, oneChunk(text));
  };
  return (
    <>
      <XyChart
        title={choice.title}
        unit={choice.unit}
        xLabel={data.axis.label}
        xUnit={data.axis.unit}
        decimals={choice.decimals}
        input={curve}
        height={320}
        onOpen={() => undefined}
        onSave={save}
        emptyText="No curve has this measure."
      />
      <XyChart
        title={`${choice.title}, gap to ${data.curves[0]!.name}`}
        unit="%"
        xLabel={data.axis.label}
        xUnit={data.axis.unit}
        decimals={2}
        input={gap}
        height={220}
        onOpen={() => undefined}
        onSave={save}
        emptyText="No value was measured on the baseline and another curve."
      />
    </>
  );
}

const plainList = { listStyle: 'none', margin: 0, padding: 0 } as const;

/** What a word of the table is made of, by what the studies have. */
const gapNote = ({ of }: MeasureChoice): string =>
  of.tests.some((list) => list.some((test) => test !== null))
    ? 'With repeats on both sides the word is by Welch at 5 %, each value by itself; beside it ' +
      'the 95 % interval of the gap, and the smallest gap that would be found in 4 of 5 cases.'
    : 'One run a value: a gap may be noise. “Compare runs” tells by the noise within the runs; ' +
      'repeats of the study tell more.';
