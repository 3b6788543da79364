import { NativeSelect, Stack, Text, Title } from '@mantine/core';

import { counted } from '../../../core/base/counted.ts';
import { tickText } from '../../../core/chart/xyModel.ts';
import type { StudyAxis, StudyOverview } from '../../../core/study/study.ts';
import {
  type CurveVerdict,
  curveVerdict,
  kneeCurves,
  kneeMethods,
  kneeText,
  mainCurve,
} from '../../../core/study/studyKnees.ts';
import { curveLabel, namedValue } from '../../../core/study/studyWords.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import classes from './study.module.css';

interface Props {
  overview: StudyOverview;
  measure: string;
  /** What the chart beside it is drawn against. */ against: StudyAxis;
  method: string | undefined;
  onMethod: (method: string) => void;
  /** The curve whose knee is shown; undefined = the last. */ curve: string | undefined;
  onCurve: (curve: string) => void;
}

/**
 * What the curve says: where it saturates, its knee by each method, the limit that was found, which
 * points broke a limit.
 */
export function StudyFindings(props: Props) {
  const { overview, measure, against, method, onMethod, curve, onCurve } = props;
  const axis = overview.spec.axes[0]!;
  const unit = axis.unit === '' ? '' : ` ${axis.unit}`;
  const curves = kneeCurves(overview, measure);
  const shown =
    curve !== undefined && curves.includes(curve) ? curve : mainCurve(overview, measure);
  const knees = overview.knees.filter((k) => k.measure === measure && k.series === shown);
  const methods = kneeMethods(overview, measure, shown);
  const failing = overview.points.filter((p) => p.state === 'qosFailed');
  const { limit } = overview;
  const started = overview.points.some((p) => p.state !== 'pending');
  return (
    <Stack gap="sm" component="section" aria-label="What the curve says">
      <Title order={2}>What the curve says</Title>
      {against.name !== axis.name && (limit !== null || knees.length > 0) && (
        <Text size="sm" c={dim}>
          {`Found along ${axis.label}. The chart is drawn against ${against.label}, where neither a knee nor a limit is looked for.`}
        </Text>
      )}
      {limit !== null && (
        <Text size="sm">
          <b>Limit</b>
          {` ${limitText(limit, unit)}`}
        </Text>
      )}
      {failing.length > 0 && (
        <Text size="sm">
          <b>QoS failed</b>
          {` at ${failing
            .slice(0, 6)
            .map((p) => overview.spec.axes.map((a) => namedValue(a, p.values[a.name])).join(', '))
            .join('; ')}${failing.length > 6 ? ` and ${failing.length - 6} more` : ''}.`}
        </Text>
      )}
      {curves.length > 1 && (
        <NativeSelect
          size="xs"
          label="Curve"
          value={shown}
          data={curves.map((c) => ({ value: c, label: curveLabel(overview, c) }))}
          onChange={(e) => onCurve(e.currentTarget.value)}
        />
      )}
      {knees.length > 0 && <Verdict verdict={curveVerdict(overview, measure, shown)} />}
      {knees.length > 0 && (
        <details>
          <summary className={classes.methods}>How found</summary>
          <Stack gap="xs">
            {knees.map((knee) => (
              <KneeTable key={knee.series} overview={overview} knee={knee} />
            ))}
            {methods.length > 1 && (
              <NativeSelect
                size="xs"
                label="Band on the chart"
                value={method ?? methods[0]}
                data={methods}
                onChange={(e) => onMethod(e.currentTarget.value)}
              />
            )}
          </Stack>
        </details>
      )}
      {knees.length === 0 && (
        <Text size="sm" c={dim}>
          {axis.values.some((v) => typeof v !== 'number')
            ? 'The axis takes names: nothing saturates or bends along it.'
            : started
              ? 'No knee of this measure yet. The methods need three to six points, and say ' +
                'none outside what was measured.'
              : 'Saturation and knee appear here as points are measured.'}
        </Text>
      )}
    </Stack>
  );
}

/** How far the curve scales, before any method is named. */
const Verdict = ({ verdict }: { verdict: CurveVerdict | null }) =>
  verdict === null ? (
    <Text size="sm">No knee inside what was measured.</Text>
  ) : (
    <div>
      <Text className={classes.verdict}>{verdict.figure}</Text>
      <Text size="sm" c={dim}>
        {verdict.said}
      </Text>
    </div>
  );

/** Between which values the limit lies, and whether repeats confirmed it. */
function limitText(limit: NonNullable<StudyOverview['limit']>, unit: string): string {
  const { lastPass, firstFail, confirmed } = limit;
  const passes =
    lastPass === null ? 'No value passed' : `Passes up to ${tickText(lastPass)}${unit}`;
  const fails =
    firstFail === null ? 'no failure found' : `fails from ${tickText(firstFail)}${unit}`;
  const repeats =
    confirmed === 0 ? 'Not confirmed by a repeat yet.' : `Confirmed ${counted(confirmed, 'time')}.`;
  return `${passes}, ${fails}. ${repeats}`;
}

/** The knee of one curve by each method: an interval, or why there is none. */
function KneeTable({
  overview,
  knee,
}: {
  overview: StudyOverview;
  knee: StudyOverview['knees'][number];
}) {
  const axis = overview.spec.axes[0]!;
  return (
    <Table
      aria-label={`Knee${knee.series === '' ? '' : ` of ${curveLabel(overview, knee.series)}`}`}
      fz="xs"
      verticalSpacing={2}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Method</Table.Th>
          <Table.Th
            ta="right"
            style={{ whiteSpace: 'nowrap' }}
          >{`Interval${axis.unit === '' ? '' : ` (${axis.unit})`}`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {knee.results.map((r) => (
          <Table.Tr key={r.method}>
            <Table.Th scope="row" fw={400} title={r.note}>
              {r.method}
              {(r.low === null || r.high === null) && (
                <Text size="xs" c={dim}>
                  {r.note}
                </Text>
              )}
            </Table.Th>
            <Table.Td
              ta="right"
              style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
              title={r.note}
            >
              {r.low === null || r.high === null
                ? 'none'
                : r.low === r.high
                  ? kneeText(r.low)
                  : `${kneeText(r.low)} to ${kneeText(r.high)}`}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
