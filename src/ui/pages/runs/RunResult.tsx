import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { RunRecord, RunSummary } from '../../../core/run/run.ts';
import type { SampleLink } from '../../../core/score/scoreSteps.ts';
import { Figure } from '../../kit/Figure.tsx';
import { dim } from '../../kit/tones.ts';
import { ComplianceTable } from './ComplianceTable.tsx';
import { Findings } from './Findings.tsx';
import { isForeign } from './foreign.ts';
import { LeftBehind } from './LeftBehind.tsx';
import { QosTable } from './QosTable.tsx';
import { RunMarks } from './RunMarks.tsx';
import { ScoreTree } from './ScoreTree.tsx';
import { StepSamples } from './StepSamples.tsx';
import { TotalsTable } from './TotalsTable.tsx';

/** The result of a finished run: verdict, key figures, calculation, QoS, findings. */
export function RunResult({
  record,
  summary,
  onTidy,
  reference,
}: {
  record: RunRecord;
  summary: RunSummary | undefined;
  onTidy: () => Promise<unknown>;
  /** Offers the run as reference; shown where it has none. */
  reference?: ReactNode;
}) {
  const { overview, profile, plan, inventoryBefore } = record;
  const { score, verdict } = overview;
  const [samples, setSamples] = useState<{ link: SampleLink; name: string } | null>(null);
  const decimals = profile.scoring.number?.decimals ?? 2;
  const aborted = overview.state === 'aborted';
  const foreign = isForeign(record.imported);
  const unreferenced = score?.reference === 'none';
  const unit = score?.reference === 'itself' ? '× itself' : '× reference';
  const part = (label: string, value: number | null | undefined) =>
    value === undefined ? [] : [{ label, value, unit, decimals, fixed: true }];
  const figures: {
    label: string;
    value: number | null;
    unit: string;
    decimals: number;
    fixed: boolean;
    hint?: string | undefined;
  }[] = [
    ...(unreferenced || foreign
      ? []
      : [
          {
            label: `Result, ${profile.resultName}`,
            value: score?.total ?? null,
            unit,
            decimals,
            fixed: true,
          },
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
  return (
    <Stack gap="lg">
      {verdict !== null && (
        <Title order={2} fz={20} data-testid="verdict">
          {verdict.sentence}
        </Title>
      )}
      <RunMarks
        overview={overview}
        imported={record.imported}
        resultName={profile.resultName}
        minimumHosts={profile.minimumHosts}
        hostCount={inventoryBefore?.hosts.length ?? null}
      />
      {record.imported === undefined && <LeftBehind overview={overview} onTidy={onTidy} />}
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        {figures.map((f) => (
          <Paper key={f.label} withBorder p="xs">
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
      <Section title="Findings">
        <Findings overview={overview} />
      </Section>
      {score !== null && (
        <Section title={unreferenced ? 'Totals; no score without a reference' : 'Totals'}>
          <TotalsTable score={score} />
          {unreferenced && reference}
        </Section>
      )}
      {!foreign && (
        <Section title={unreferenced ? 'Means, period by period' : 'Score, step by step'}>
          {score === null ? (
            <Text size="sm" c={dim}>
              {aborted
                ? 'An aborted run gets no score; its samples are on the charts.'
                : 'No score: the run ended before its first measurement period did.'}
            </Text>
          ) : (
            <ScoreTree
              score={score}
              profile={profile}
              onSamples={(link, name) => setSamples({ link, name })}
            />
          )}
        </Section>
      )}
      {samples !== null && (
        <StepSamples
          overview={overview}
          link={samples.link}
          name={samples.name}
          onClose={() => setSamples(null)}
        />
      )}
      {!foreign && (
        <>
          <Section title="Compliance, rule by rule">
            <ComplianceTable record={record} />
          </Section>
          <Section title="Quality of service">
            {score === null || score.periods.length === 0 ? (
              <Text size="sm" c={dim}>
                {aborted
                  ? 'Not judged: the run was aborted.'
                  : 'Not judged: no measurement period ended.'}
              </Text>
            ) : (
              <QosTable score={score} />
            )}
          </Section>
        </>
      )}
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={6} component="section">
      <Group>
        <Title order={2}>{title}</Title>
      </Group>
      {children}
    </Stack>
  );
}
