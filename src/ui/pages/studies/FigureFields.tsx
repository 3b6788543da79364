import { MultiSelect, NativeSelect } from '@mantine/core';

import { type ChartChoice, type FigurePart, isAtRight } from '../../../core/study/figurePlot.ts';
import type { FigureShape, StudyOverview } from '../../../core/study/study.ts';
import { valueText } from '../../../core/study/studyWords.ts';
import type { StudyCurveChoice } from './useStudyCurve.ts';

interface Props {
  overview: StudyOverview;
  curve: StudyCurveChoice;
}

/** Lines that can be told apart beside the first. */
const mostMore = 7;

/**
 * Further measures in the same chart, the axis below it, and whether each curve is compared with
 * one of them. A figure whose bars or time its author set has none of these.
 */
export function FigureFields({ overview, curve }: Props) {
  const { shape } = curve.choice;
  return shape?.groups !== undefined || shape?.overTime === true ? null : (
    <>
      <MoreMeasures curve={curve} />
      {overview.spec.axes.length > 1 && (
        <>
          <AxisField overview={overview} curve={curve} />
          <ComparedField overview={overview} curve={curve} />
        </>
      )}
    </>
  );
}

/**
 * Measures that an axis can hold: of the figure's unit, and of one other at the right; all of them
 * once normalised.
 */
function sharing({ choices, choice, normalised }: StudyCurveChoice): ChartChoice[] {
  const right = choice.shape?.also?.find((one) => isAtRight(one, choice, normalised))?.unit;
  return choices.filter(
    (one) =>
      one.group !== 'As its author charted it' &&
      one.measure !== choice.measure &&
      (normalised || one.unit === choice.unit || right === undefined || one.unit === right),
  );
}

function MoreMeasures({ curve }: Pick<Props, 'curve'>) {
  const { also = [] } = curve.choice.shape ?? {};
  const offered = sharing(curve);
  const named = new Map<string, FigurePart>([
    ...offered.map(
      ({ measure, title, unit }) => [measure, { measure, label: title, unit }] as const,
    ),
    ...also.map((one) => [one.measure, one] as const),
  ]);
  if (named.size === 0) return null;
  return (
    <MultiSelect
      size="xs"
      miw={180}
      maw={420}
      aria-label="More measures"
      placeholder={also.length === 0 ? 'Add a measure' : ''}
      searchable
      maxValues={mostMore}
      value={also.map((one) => one.measure)}
      data={[...named].map(([value, { label }]) => ({ value, label }))}
      onChange={(measures) =>
        curve.reshape({
          also: measures.map((measure) => named.get(measure) ?? { measure, label: measure }),
        })
      }
    />
  );
}

function AxisField({ overview, curve }: Props) {
  const { where } = curve.choice.shape ?? {};
  const axes = overview.spec.axes.filter(({ name }) => where?.[name]?.length !== 1);
  if (axes.length < 2) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label="Horizontal axis"
      value={curve.chart.axis.name}
      data={axes.map(({ name, label }) => ({ value: name, label: `Against ${label}` }))}
      onChange={(event) => curve.reshape({ over: event.currentTarget.value, against: undefined })}
    />
  );
}

const asWords: Readonly<Record<NonNullable<FigureShape['against']>['as'], string>> = {
  ratio: 'Ratio to',
  more: 'How far above',
  less: 'How far below',
};

function ComparedField({ overview, curve }: Props) {
  const { against, where } = curve.choice.shape ?? {};
  const other = overview.spec.axes.find(({ name }) => name !== curve.chart.axis.name);
  const values = (other === undefined ? undefined : where?.[other.name]) ?? other?.values ?? [];
  if (other === undefined || values.length < 2) return null;
  const options = values.flatMap((value) =>
    (['ratio', 'more', 'less'] as const).map((as) => ({
      value: `${as} ${value}`,
      label: `${asWords[as]} ${valueText(other, value)}`,
      against: { curve: value, as },
    })),
  );
  return (
    <NativeSelect
      size="xs"
      aria-label="Compared with"
      value={against === undefined ? '' : `${against.as} ${against.curve}`}
      data={[{ value: '', label: 'Each curve as it is' }, ...options]}
      onChange={(event) =>
        curve.reshape({
          against: options.find(({ value }) => value === event.currentTarget.value)?.against,
        })
      }
    />
  );
}
