import { Stack, Text, Title } from '@mantine/core';
import { useViewportSize } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { formatClock } from '../../../core/base/format.ts';
import { pointAt } from '../../../core/study/figureRun.ts';
import { isOfRepeats } from '../../../core/study/repeatBoth.ts';
import type { StudyOverview, StudyPoint } from '../../../core/study/study.ts';
import { namedValue } from '../../../core/study/studyWords.ts';
import {
  usePlanListQuery,
  useRunOverviewQuery,
  useStudyOverviewQuery,
  useStudyRerunMutation,
} from '../../engine/api.ts';
import { useEngineRate } from '../../engine/engineTime.ts';
import { useConnected } from '../../engine/runData.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { studyProgress } from '../../kit/studyWords.ts';
import { dim } from '../../kit/tones.ts';
import { useSettled } from '../../kit/useSettled.ts';
import { StudyDiagnosis, StudyDiagnosisBeside } from '../diagnosis/StudyDiagnosis.tsx';
import { EntryStrip } from '../history/EntryStrip.tsx';
import { BasisTable } from './BasisTable.tsx';
import { PointTable } from './PointTable.tsx';
import { PublishedTable } from './PublishedTable.tsx';
import { RepeatsResult } from './RepeatsResult.tsx';
import styles from './study.module.css';
import { StudyCurveChart } from './StudyCurveChart.tsx';
import { StudyFindings } from './StudyFindings.tsx';
import { StudyHeader } from './StudyHeader.tsx';
import { StudyRunCharts } from './StudyRunCharts.tsx';
import { useObservedRate } from './useObservedRate.ts';
import { useStudyCurve } from './useStudyCurve.ts';
import { useStudyControls } from './useToggleStudy.ts';
import { WhatIfResult } from './WhatIfResult.tsx';

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
  const connected = useConnected();
  const rate = useEngineRate();
  // What the machine manages, not what was asked of it: a full lab may run slower than its set
  // speed.
  const pace = useObservedRate(rate, overview.nowMs, overview.state === 'running');
  const { height: viewport } = useViewportSize();
  const { data: plans } = usePlanListQuery({});
  const plan = plans?.find((p) => p.id === overview.spec.planId);
  const controls = useStudyControls(overview.spec.id);
  const [rerun, rerunning] = useStudyRerunMutation();
  const curve = useStudyCurve(overview, plan?.profileId);
  const { measure } = curve.choice;
  const [chosen, setChosen] = useState<string | null>(null);
  const activeElapsedMs = useActiveElapsedMs(overview);
  // One place on the axis: the study is about the time of its run, which is charted first and
  // large.
  const { shape } = curve.choice;
  const overTime = placesOf(overview) === 1 || shape?.overTime === true;
  const scales = !overTime && !isOfRepeats(overview.spec);
  const looked = lookedPoint(
    overview,
    chosen ?? (shape?.overTime === true ? (pointAt(overview, shape.where)?.key ?? null) : null),
    overTime || curve.chart.input.categories !== null,
  );
  // As fast as the machine goes a run may last less than a blink.
  const settled = useSettled(
    looked?.runId ?? null,
    overview.state === 'running' && rate !== 1 ? 700 : 0,
  );
  const run = (
    <LookedRun
      overview={overview}
      looked={looked}
      settled={settled}
      slow={rate === 1}
      measure={measure}
      large={overTime}
    />
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
      <WhatIfResult overview={overview} />
      <RepeatsResult overview={overview} />
      {overTime && run}
      <div className={styles.curve}>
        <StudyCurveChart
          overview={overview}
          curve={curve}
          chosen={chosen}
          onChoose={setChosen}
          height={overTime ? 220 : Math.round(Math.max(300, Math.min(640, viewport * 0.42)))}
        />
        <div>
          <StudyFindings
            overview={overview}
            measure={measure}
            against={curve.chart.axis}
            method={curve.method}
            onMethod={curve.chooseMethod}
            curve={curve.curve}
            onCurve={curve.chooseCurve}
          />
          {scales && <StudyDiagnosisBeside overview={overview} />}
        </div>
      </div>
      {scales && <StudyDiagnosis overview={overview} />}
      {!overTime && run}
      <Stack gap={6} component="section">
        <Title order={2}>Points</Title>
        <PointTable
          overview={overview}
          columns={curve.columns}
          chosen={chosen}
          onChoose={setChosen}
          onRerun={(key) => {
            void rerun({ id: overview.spec.id, key });
          }}
          busy={rerunning.isLoading}
        />
      </Stack>
      <Background overview={overview} />
    </Stack>
  );
}

/** How long the run in progress goes on, by the engine's clock; 0 = none does. */
function useActiveElapsedMs({ points, activeKey }: StudyOverview): number {
  const runId = points.find((p) => p.key === activeKey)?.runId;
  const { data } = useRunOverviewQuery({ id: runId ?? '' }, { skip: runId == null });
  return data === undefined || data.startedAtMs === null ? 0 : data.nowMs - data.startedAtMs;
}

/** How many different values its points have along the first axis. */
const placesOf = ({ spec, points }: StudyOverview): number =>
  new Set(points.map((p) => String(p.values[spec.axes[0]!.name]))).size;

/**
 * The point whose run is charted: the chosen one, else the run in progress. Where the axis is one
 * place or names, the time of a run says most: there it is the first that has one.
 */
function lookedPoint(
  { points, activeKey }: StudyOverview,
  chosen: string | null,
  timeSaysMost: boolean,
): StudyPoint | undefined {
  const active = points.find((p) => p.key === activeKey);
  return (
    points.find((p) => p.key === chosen && p.runId !== null) ??
    (active?.runId != null
      ? active
      : timeSaysMost
        ? points.find((p) => p.runId !== null)
        : undefined)
  );
}

/** The run of the point that is looked at, over its time. */
function LookedRun({
  overview,
  looked,
  settled,
  slow,
  measure,
  large,
}: {
  overview: StudyOverview;
  looked: StudyPoint | undefined;
  /** The run that stayed long enough to be charted. */ settled: string | null;
  /** Time goes at its own pace. */ slow: boolean;
  measure: string;
  large: boolean;
}) {
  return (
    <>
      {overview.state === 'running' && (looked?.runId == null || settled !== looked.runId) && (
        <Text size="sm" c={dim} className={styles.quick}>
          {slow
            ? 'The next run is charted here.'
            : 'Runs end faster than they can be watched. A slower lab time, or a point chosen ' +
              'above, shows one here.'}
        </Text>
      )}
      {looked?.runId != null && settled === looked.runId && (
        <StudyRunCharts
          large={large}
          runId={looked.runId}
          measure={measure}
          point={overview.spec.axes.map((a) => namedValue(a, looked.values[a.name])).join(', ')}
        />
      )}
    </>
  );
}

/** What was published, what the study rests on, and notes: as far as there is any. */
function Background({ overview }: { overview: StudyOverview }) {
  const { expectations, basis, spec } = overview;
  const word = overview.origin === 'simulated' ? 'Modelled' : 'Measured';
  return (
    <>
      {expectations.length > 0 && (
        <TitledTable title="Compared with what was published">
          <PublishedTable lines={expectations} word={word} />
        </TitledTable>
      )}
      {basis !== undefined && basis.length > 0 && (
        <TitledTable title="What it rests on">
          <BasisTable basis={basis} />
        </TitledTable>
      )}
      {spec.notes !== '' && (
        <Stack gap={4} component="section">
          <Title order={2}>Notes</Title>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {spec.notes}
          </Text>
        </Stack>
      )}
    </>
  );
}

function TitledTable({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={0} component="section">
      <Title order={2} mb={6}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}
