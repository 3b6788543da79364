import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';

import { boardCharts } from '../../../core/chart/boardCharts.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import type { ChartChoice } from '../../../core/study/figurePlot.ts';
import { chartsFor, pointAt } from '../../../core/study/figureRun.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { chartChoices, studyChart } from '../../../core/study/studyModel.ts';
import { createChartGroup } from '../../charts/group.ts';
import { XyChart } from '../../charts/xy/XyChart.tsx';
import { usePlanListQuery, useProfileListQuery } from '../../engine/api.ts';
import { oneChunk } from '../../engine/oneChunk.ts';
import { useRunRecord } from '../../engine/runData.ts';
import { useDesktop } from '../../engine/services.ts';
import { RunChart } from '../live/RunChart.tsx';
import { useRunLines, useStoredSamples } from '../live/useRunLines.ts';
import styles from './presenter.module.css';

/**
 * What can be drawn of a study: its author's charts first; where it has none, all its measures.
 * undefined = it is not read yet.
 */
export function useChoices(overview: StudyOverview | undefined): ChartChoice[] {
  const { data: plans } = usePlanListQuery({});
  const { data: profiles } = useProfileListQuery({});
  const profileId = plans?.find((p) => p.id === overview?.spec.planId)?.profileId;
  return useMemo(() => {
    const workloads = new Map(
      (profiles?.find((p) => p.id === profileId)?.workloads ?? []).map((w) => [
        w.id,
        { name: w.name, unit: w.unit },
      ]),
    );
    return overview === undefined ? [] : chartChoices(overview, workloads);
  }, [overview, profiles, profileId]);
}

/** Every chart that its author drew; of a study without such, its first measure. */
export function ownCurves(choices: readonly ChartChoice[]): readonly ChartChoice[] {
  const own = choices.filter(({ group }) => group === 'As its author charted it');
  return own.length > 0 ? own : choices.slice(0, 1);
}

/**
 * The chart for a measure: as the author charted it, else as measured; the first of the wanted that
 * the study has, else its first chart.
 */
export function choiceFor(
  choices: readonly ChartChoice[],
  measures: readonly string[],
): ChartChoice | undefined {
  return measures.flatMap((m) => choices.find((c) => c.measure === m) ?? [])[0] ?? choices[0];
}

/**
 * A study's curve for a room; published figures beside it. A figure over time is the course of its
 * run, with its moves marked. `choices`: one or two.
 */
export function StudyCurves({
  overview,
  choices,
}: {
  overview: StudyOverview;
  choices: readonly ChartChoice[];
}) {
  return (
    <div className={styles.charts}>
      {choices.map((choice) =>
        choice.shape?.overTime === true ? (
          <Course key={choice.key} overview={overview} choice={choice} />
        ) : (
          <Curve key={choice.key} overview={overview} choice={choice} />
        ),
      )}
    </div>
  );
}

function Curve({ overview, choice }: { overview: StudyOverview; choice: ChartChoice }) {
  const navigate = useNavigate();
  const desktop = useDesktop();
  const chart = useMemo(() => studyChart(overview, choice, choice.normalise), [overview, choice]);
  return (
    <XyChart
      title={choice.title}
      unit={chart.unit}
      xLabel={chart.axis.label}
      xUnit={
        chart.axis.unit.toLowerCase() === chart.axis.label.toLowerCase() ? '' : chart.axis.unit
      }
      decimals={chart.decimals}
      input={chart.input}
      height="fill"
      onOpen={(runId) => void navigate(`/runs/${runId}`)}
      onSave={(name, text) => {
        void desktop.saveFile(name, oneChunk(text));
      }}
      emptyText="The first point appears when its run has ended."
    />
  );
}

/** The run that a figure over time is of, once it has ended. */
function Course({ overview, choice }: { overview: StudyOverview; choice: ChartChoice }) {
  const point = pointAt(overview, choice.shape?.where);
  const isOver = point !== null && point.key !== overview.activeKey;
  const { data } = useRunRecord(point?.runId ?? '', 'ended', !isOver);
  if (!isOver) return <p className={styles.note}>The curve appears when its run has ended.</p>;
  return data === undefined ? null : (
    <StoredCourse key={point.runId} record={data} choice={choice} />
  );
}

function StoredCourse({ record, choice }: { record: RunRecord; choice: ChartChoice }) {
  const { overview, profile } = record;
  const { measure, title } = choice;
  const [group] = useState(() => createChartGroup());
  const chart = useMemo(
    () => chartsFor(boardCharts(overview, profile), measure)[0],
    [overview, profile, measure],
  );
  const defs = useMemo(() => chart?.defs ?? [], [chart]);
  const load = useStoredSamples(overview.id);
  const lines = useRunLines(overview, defs, { load });
  return chart === undefined ? (
    <p className={styles.note}>This run has no samples of it.</p>
  ) : (
    <RunChart chart={{ ...chart, title }} lines={lines} group={group} height="fill" />
  );
}
