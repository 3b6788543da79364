import { useMemo, useState } from 'react';

import type { ChartChoice } from '../../../core/study/figurePlot.ts';
import type { FigureShape, StudyOverview } from '../../../core/study/study.ts';
import { chartChoices, studyChart } from '../../../core/study/studyModel.ts';
import { useProfileListQuery } from '../../engine/api.ts';

/** What the curve shows, and what chooses it. */
export interface StudyCurveChoice {
  choices: readonly ChartChoice[];
  choice: ChartChoice;
  choose: (key: string) => void;
  normalised: boolean;
  normalise: (on: boolean) => void;
  /** Changes what is drawn besides the measure, and how. */
  reshape: (change: FigureShape) => void;
  /** Method whose knee is drawn; undefined = the first. */ method: string | undefined;
  chooseMethod: (method: string) => void;
  /** Curve whose knee is shown; undefined = the last. */ curve: string | undefined;
  chooseCurve: (curve: string) => void;
  chart: ReturnType<typeof studyChart>;
  /** Measures for the table of points. */ columns: readonly ChartChoice[];
}

/** The measure that is drawn of a study, and how. */
export function useStudyCurve(
  overview: StudyOverview,
  profileId: string | undefined,
): StudyCurveChoice {
  const { data: profiles } = useProfileListQuery({});
  const [choiceKey, setChoiceKey] = useState<string | null>(null);
  const [normalise, setNormalise] = useState<Record<string, boolean>>({});
  const [method, setMethod] = useState<string | undefined>(undefined);
  const [curve, setCurve] = useState<string | undefined>(undefined);
  const workloads = useMemo(
    () =>
      new Map(
        (profiles?.find((p) => p.id === profileId)?.workloads ?? []).map((w) => [
          w.id,
          { name: w.name, unit: w.unit },
        ]),
      ),
    [profiles, profileId],
  );
  const choices = useMemo(() => chartChoices(overview, workloads), [overview, workloads]);
  const [reshaped, setReshaped] = useState<Record<string, FigureShape>>({});
  const asMade = choices.find((c) => c.key === choiceKey) ?? choices[0]!;
  const own = reshaped[asMade.key];
  const choice = useMemo(
    () => (own === undefined ? asMade : withShape(asMade, own)),
    [asMade, own],
  );
  const normalised = normalise[choice.key] ?? choice.normalise;
  const chart = useMemo(
    () => studyChart(overview, choice, normalised, { method, curve }),
    [overview, choice, normalised, method, curve],
  );
  const columns = useMemo(() => tableColumns(choices, choice), [choices, choice]);
  return {
    choices,
    choice,
    choose(key) {
      setChoiceKey(key);
      setMethod(undefined);
    },
    normalised,
    normalise: (on) => setNormalise((now) => ({ ...now, [choice.key]: on })),
    reshape: (change) =>
      setReshaped((now) => ({ ...now, [choice.key]: { ...now[choice.key], ...change } })),
    method,
    chooseMethod: setMethod,
    curve,
    chooseCurve(next) {
      setCurve(next);
      setMethod(undefined);
    },
    chart,
    columns,
  };
}

/** A choice with what somebody changed of it; a share of another curve has no unit but its own. */
function withShape(choice: ChartChoice, change: FigureShape): ChartChoice {
  const isRatio = change.against?.as === 'ratio';
  return {
    ...choice,
    ...(isRatio && { unit: '×', decimals: 2 }),
    shape: { ...choice.shape, ...change },
  };
}

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
