import { Paper, SimpleGrid, Text } from '@mantine/core';

import type { RunRecord, RunSummary } from '../../../core/run/run.ts';
import { Figure } from '../../kit/Figure.tsx';
import { dim } from '../../kit/tones.ts';
import { isForeign } from './foreign.ts';

interface KeyFigure {
  label: string;
  value: number | null;
  unit: string;
  decimals: number;
  fixed: boolean;
  /** Why there is no value. */
  hint?: string | undefined;
}
interface Props {
  record: RunRecord;
  summary: RunSummary | undefined;
}

/** The figures of a run that are asked for first. */
export function KeyFigures({ record, summary }: Props) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {keyFigures(record, summary).map((f) => (
        <Paper key={f.label} p="xs">
          <Text size="xs" c={dim}>
            {f.label}
          </Text>
          <Text fz={20} fw={600}>
            <Figure value={f.value} unit={f.unit} decimals={f.decimals} fixed={f.fixed} />
          </Text>
          {f.hint !== undefined && <Text size="xs" c={dim}>{`No figure: ${f.hint}`}</Text>}
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function keyFigures(
  { overview: { score }, profile, plan, imported }: RunRecord,
  summary: RunSummary | undefined,
): KeyFigure[] {
  const foreign = isForeign(imported);
  const unreferenced = score?.reference === 'none';
  const unit = score?.reference === 'itself' ? '× itself' : '× reference';
  const decimals = profile.scoring.number?.decimals ?? 2;
  const part = (label: string, value: number | null | undefined): KeyFigure[] =>
    value === undefined ? [] : [{ label, value, unit, decimals, fixed: true }];
  return [
    ...(unreferenced || foreign
      ? []
      : [
          ...part(`Result, ${profile.resultName}`, score?.total ?? null),
          ...part('Application', score?.application),
          ...part('Infrastructure', score?.infrastructure),
        ]),
    ...(foreign ? [] : [{ label: 'Tiles', value: plan.tiles, unit: '', decimals: 0, fixed: true }]),
    {
      label: 'Mean power, steady state',
      value: summary?.meanPowerW ?? null,
      unit: 'W',
      decimals: 1,
      fixed: false,
    },
    ...(score?.power && !unreferenced
      ? [
          {
            label: 'Performance a kilowatt',
            value: score.power.value,
            unit: '1/kW',
            decimals: 3,
            fixed: false,
            hint: score.power.refused ?? undefined,
          },
        ]
      : []),
    { label: 'Samples', value: summary?.sampleCount ?? null, unit: '', decimals: 0, fixed: false },
  ];
}
