import { Group, NativeSelect, Stack, Switch, Text, Title, VisuallyHidden } from '@mantine/core';
import { useViewportSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { formatClock } from '../../../core/base/format.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { type ChartChoice, chartChoices, studyChart } from '../../../core/study/studyModel.ts';
import { namedValue } from '../../../core/study/studyWords.ts';
import { XyChart } from '../../charts/xy/XyChart.tsx';
import {
  usePlanListQuery,
  useProfileListQuery,
  useRunOverviewQuery,
  useStudyOverviewQuery,
  useStudyRerunMutation,
} from '../../engine/api.ts';
import { useEngineRate } from '../../engine/engineTime.ts';
import { useConnected } from '../../engine/runData.ts';
import { useDesktop } from '../../engine/services.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { studyProgress } from '../../kit/studyWords.ts';
import { dim } from '../../kit/tones.ts';
import { useSettled } from '../../kit/useSettled.ts';
import { StudyDiagnosis, StudyDiagnosisBeside } from '../diagnosis/StudyDiagnosis.tsx';
import { EntryStrip } from '../history/EntryStrip.tsx';
import { BasisTable } from './BasisTable.tsx';
import { PointTable } from './PointTable.tsx';
import { PublishedTable } from './PublishedTable.tsx';
import styles from './study.module.css';
import { StudyFindings } from './StudyFindings.tsx';
import { StudyHeader } from './StudyHeader.tsx';
import { StudyRunCharts } from './StudyRunCharts.tsx';
import { useObservedRate } from './useObservedRate.ts';
import { useStudyControls } from './useToggleStudy.ts';

/**
 * One study, one address: the curve big, its points clickable, its runs below, what was published
 * beside.
 */
export function StudyPage() {
  const { id = '' } = useParams();
  const { currentData, error, refetch } = useStudyOverviewQuery({ id });
  if (currentData === undefined)
    return error ? (
      <Failure
        title="The study cannot be shown"
        error={error as AppErrorShape}
        onRetry={() => void refetch()}
      />
    ) : (
      <Pending label="study" rows={10} />
    );
  return <LoadedStudy key={id} overview={currentData} />;
}

function LoadedStudy({ overview }: { overview: StudyOverview }) {
  const navigate = useNavigate();
  const desktop = useDesktop();
  const connected = useConnected();
  const rate = useEngineRate();
  // What the machine manages, not what was asked of it: a full lab may run slower than its set
  // speed.
  const pace = useObservedRate(rate, overview.nowMs, overview.state === 'running');
  const { height: viewport } = useViewportSize();
  const { data: plans } = usePlanListQuery({});
  const { data: profiles } = useProfileListQuery({});
  const controls = useStudyControls(overview.spec.id);
  const [rerun, rerunning] = useStudyRerunMutation();
  const [choiceKey, setChoiceKey] = useState<string | null>(null);
  const [normalise, setNormalise] = useState<Record<string, boolean>>({});
  const [method, setMethod] = useState<string | undefined>(undefined);
  const [curve, setCurve] = useState<string | undefined>(undefined);
  const [chosen, setChosen] = useState<string | null>(null);

  const plan = plans?.find((p) => p.id === overview.spec.planId);
  const workloads = useMemo(
    () =>
      new Map(
        (profiles?.find((p) => p.id === plan?.profileId)?.workloads ?? []).map((w) => [
          w.id,
          { name: w.name, unit: w.unit },
        ]),
      ),
    [profiles, plan?.profileId],
  );
  const choices = useMemo(() => chartChoices(overview, workloads), [overview, workloads]);
  const choice = choices.find((c) => c.key === choiceKey) ?? choices[0]!;
  const normalised = normalise[choice.key] ?? choice.normalise;
  const chart = useMemo(
    () => studyChart(overview, choice, normalised, { method, curve }),
    [overview, choice, normalised, method, curve],
  );
  const axis = overview.spec.axes[0]!;
  const active = overview.points.find((p) => p.key === overview.activeKey);
  const { data: activeRun } = useRunOverviewQuery(
    { id: active?.runId ?? '' },
    { skip: active?.runId == null },
  );
  const activeElapsedMs =
    activeRun === undefined || activeRun.startedAtMs === null
      ? 0
      : activeRun.nowMs - activeRun.startedAtMs;
  // The chosen point, else the run in progress. Where the axis is one place or names, the time of a
  // run says most.
  const places = new Set(overview.points.map((p) => String(p.values[axis.name]))).size;
  const looked =
    overview.points.find((p) => p.key === chosen && p.runId !== null) ??
    (active?.runId != null
      ? active
      : places === 1 || chart.input.categories !== null
        ? overview.points.find((p) => p.runId !== null)
        : undefined);
  // As fast as the machine goes a run may last less than a blink.
  const settled = useSettled(
    looked?.runId ?? null,
    overview.state === 'running' && rate !== 1 ? 700 : 0,
  );
  const columns = useMemo(() => tableColumns(choices, choice), [choices, choice]);
  const word = overview.origin === 'simulated' ? 'Modelled' : 'Measured';
  // One place on the axis: the study is about the time of its run, which is charted first and
  // large.
  const overTime = places === 1;
  const runSection = (
    <>
      {overview.state === 'running' && (looked?.runId == null || settled !== looked.runId) && (
        <Text size="sm" c={dim} className={styles.quick}>
          {rate === 1
            ? 'The next run is charted here.'
            : 'Runs end faster than they can be watched. A slower lab time, or a point chosen above, shows one here.'}
        </Text>
      )}
      {looked?.runId != null && settled === looked.runId && (
        <StudyRunCharts
          large={overTime}
          runId={looked.runId}
          measure={choice.measure}
          point={overview.spec.axes.map((a) => namedValue(a, looked.values[a.name])).join(', ')}
        />
      )}
    </>
  );
  return (
    <Stack gap="md">
      <StudyHeader
        overview={overview}
        progress={studyProgress(overview, plan, activeElapsedMs)}
        rate={pace}
        controls={controls}
        staleSince={connected ? null : formatClock(overview.nowMs)}
      />
      <EntryStrip kind="study" id={overview.spec.id} />
      {overTime && runSection}
      <div className={styles.curve}>
        <Stack gap={6} style={{ minWidth: 0 }}>
          <VisuallyHidden component="h2">Curve</VisuallyHidden>
          <Group gap="sm" role="toolbar" aria-label="Curve">
            <NativeSelect
              size="xs"
              w={260}
              aria-label="Measure"
              value={choice.key}
              data={grouped(choices)}
              onChange={(e) => {
                setChoiceKey(e.currentTarget.value);
                setMethod(undefined);
              }}
            />
            <Switch
              size="xs"
              label="Normalised to the reference"
              checked={normalised}
              onChange={(e) => {
                const on = e.currentTarget.checked;
                setNormalise((now) => ({ ...now, [choice.key]: on }));
              }}
            />
            <Text size="xs" c={dim}>
              {'Reference: ' +
                `${overview.spec.axes.map((a) => namedValue(a, overview.spec.reference?.[a.name] ?? a.values[0])).join(', ')}`}
            </Text>
          </Group>
          <XyChart
            title={choice.title}
            unit={chart.unit}
            xLabel={axis.label}
            xUnit={axis.unit}
            decimals={chart.decimals}
            input={chart.input}
            chosen={chosen}
            onChoose={setChosen}
            height={overTime ? 220 : Math.round(Math.max(300, Math.min(640, viewport * 0.42)))}
            onOpen={(runId) => void navigate(`/runs/${runId}`)}
            onSave={(name, text) => {
              void desktop.saveFile(name, oneChunk(text));
            }}
            emptyText={emptyText(overview)}
          />
          {chart.notes.map((note) => (
            <Text key={note} size="xs" c={dim}>
              {note}
            </Text>
          ))}
        </Stack>
        <div>
          <StudyFindings
            overview={overview}
            measure={choice.measure}
            method={method}
            onMethod={setMethod}
            curve={curve}
            onCurve={(next) => {
              setCurve(next);
              setMethod(undefined);
            }}
          />
          {!overTime && <StudyDiagnosisBeside overview={overview} />}
        </div>
      </div>
      {!overTime && <StudyDiagnosis overview={overview} />}
      {!overTime && runSection}
      <Stack gap={6} component="section">
        <Title order={2}>Points</Title>
        <PointTable
          overview={overview}
          columns={columns}
          chosen={chosen}
          onChoose={setChosen}
          onRerun={(key) => {
            void rerun({ id: overview.spec.id, key });
          }}
          busy={rerunning.isLoading}
        />
      </Stack>
      {overview.expectations.length > 0 && (
        <Stack gap={0} component="section">
          <Title order={2} mb={6}>
            Compared with what was published
          </Title>
          <PublishedTable lines={overview.expectations} word={word} />
        </Stack>
      )}
      {overview.basis !== undefined && overview.basis.length > 0 && (
        <Stack gap={0} component="section">
          <Title order={2} mb={6}>
            What it rests on
          </Title>
          <BasisTable basis={overview.basis} />
        </Stack>
      )}
      {overview.spec.notes !== '' && (
        <Stack gap={4} component="section">
          <Title order={2}>Notes</Title>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {overview.spec.notes}
          </Text>
        </Stack>
      )}
    </Stack>
  );
}

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text;
}

const emptyText = ({ state, activeKey }: StudyOverview): string =>
  state === 'draft'
    ? 'Start study runs the plan at every value. Each run adds a point here.'
    : activeKey !== null
      ? 'The first point appears when its run has ended. The run itself is charted below.'
      : 'No point has this measure.';

const usual: readonly string[] = ['cpuPct.host.mean', 'powerW.sum.mean', 'wattsPerVm'];

/** The author's measures as columns, and the one that is drawn, each once; five at most. */
function tableColumns(choices: readonly ChartChoice[], choice: ChartChoice): ChartChoice[] {
  const wanted = [
    choice,
    ...choices.filter((c) => c.group === 'As its author charted it'),
    ...choices.filter((c) => usual.includes(c.measure)),
  ];
  // As measured: the table is not normalised, whatever the chart is.
  return wanted
    .filter((c, i) => wanted.findIndex((other) => other.measure === c.measure) === i)
    .slice(0, 5)
    .map((c) => (c.normalise ? (choices.find((raw) => raw.key === c.measure) ?? c) : c));
}

function grouped(
  choices: readonly ChartChoice[],
): { group: string; items: { value: string; label: string }[] }[] {
  return [...new Set(choices.map((c) => c.group))].map((group) => ({
    group,
    items: choices.filter((c) => c.group === group).map((c) => ({ value: c.key, label: c.title })),
  }));
}
