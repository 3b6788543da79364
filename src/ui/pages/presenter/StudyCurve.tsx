import { useMemo } from 'react';
import { useNavigate } from 'react-router';

import type { ChartChoice } from '../../../core/study/figurePlot.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { chartChoices, studyChart } from '../../../core/study/studyModel.ts';
import { XyChart } from '../../charts/xy/XyChart.tsx';
import { usePlanListQuery, useProfileListQuery } from '../../engine/api.ts';
import { oneChunk } from '../../engine/oneChunk.ts';
import { useDesktop } from '../../engine/services.ts';
import styles from './presenter.module.css';

/** What can be drawn of a study: its author's charts first; where it has none, all its measures. */
export function useChoices(overview: StudyOverview): ChartChoice[] {
  const { data: plans } = usePlanListQuery({});
  const { data: profiles } = useProfileListQuery({});
  const profileId = plans?.find((p) => p.id === overview.spec.planId)?.profileId;
  return useMemo(() => {
    const workloads = new Map(
      (profiles?.find((p) => p.id === profileId)?.workloads ?? []).map((w) => [
        w.id,
        { name: w.name, unit: w.unit },
      ]),
    );
    return chartChoices(overview, workloads);
  }, [overview, profiles, profileId]);
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

/** A study's curve for a room; published figures beside it. `choices`: one or two. */
export function StudyCurves({
  overview,
  choices,
}: {
  overview: StudyOverview;
  choices: readonly ChartChoice[];
}) {
  return (
    <div className={styles.charts}>
      {choices.map((choice) => (
        <Curve key={choice.key} overview={overview} choice={choice} />
      ))}
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
