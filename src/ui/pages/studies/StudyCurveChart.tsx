import { Group, NativeSelect, Stack, Switch, Text, VisuallyHidden } from '@mantine/core';
import { useNavigate } from 'react-router';

import type { ChartChoice } from '../../../core/study/figurePlot.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { namedValue } from '../../../core/study/studyWords.ts';
import { XyChart } from '../../charts/xy/XyChart.tsx';
import { oneChunk } from '../../engine/oneChunk.ts';
import { useDesktop } from '../../engine/services.ts';
import { dim } from '../../kit/tones.ts';
import { FigureFields } from './FigureFields.tsx';
import type { StudyCurveChoice } from './useStudyCurve.ts';

interface Props {
  overview: StudyOverview;
  curve: StudyCurveChoice;
  /** Key of the chosen point. */ chosen: string | null;
  onChoose: (key: string | null) => void;
  /** In pixels. */ height: number;
}

/** The curve of one measure, which measure it is, and what is to be known of it. */
export function StudyCurveChart({ overview, curve, chosen, onChoose, height }: Props) {
  const navigate = useNavigate();
  const desktop = useDesktop();
  const { choices, choice, chart } = curve;
  const { axis } = chart;
  return (
    <Stack gap={6} style={{ minWidth: 0 }}>
      <VisuallyHidden component="h2">Curve</VisuallyHidden>
      <Group gap="sm" role="toolbar" aria-label="Curve">
        <NativeSelect
          size="xs"
          w={260}
          aria-label="Measure"
          value={choice.key}
          data={grouped(choices)}
          onChange={(e) => curve.choose(e.currentTarget.value)}
        />
        <Switch
          size="xs"
          label="Normalised to the reference"
          checked={curve.normalised}
          onChange={(e) => curve.normalise(e.currentTarget.checked)}
        />
        <FigureFields overview={overview} curve={curve} />
        <Text size="xs" c={dim}>
          {`Reference: ${referenceText(overview)}`}
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
        onChoose={onChoose}
        height={height}
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
  );
}

const referenceText = ({ spec }: StudyOverview): string =>
  spec.axes.map((a) => namedValue(a, spec.reference?.[a.name] ?? a.values[0])).join(', ');

const emptyText = ({ state, activeKey }: StudyOverview): string =>
  state === 'draft'
    ? 'Start study runs the plan at every value. Each run adds a point here.'
    : activeKey !== null
      ? 'The first point appears when its run has ended. The run itself is charted below.'
      : 'No point has this measure.';

function grouped(
  choices: readonly ChartChoice[],
): { group: string; items: { value: string; label: string }[] }[] {
  return [...new Set(choices.map((c) => c.group))].map((group) => ({
    group,
    items: choices.filter((c) => c.group === group).map((c) => ({ value: c.key, label: c.title })),
  }));
}
