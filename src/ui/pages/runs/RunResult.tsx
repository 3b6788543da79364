import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { RunOverview, RunRecord, RunSummary } from '../../../core/run/run.ts';
import type { SampleLink } from '../../../core/score/scoreStep.ts';
import { dim } from '../../kit/tones.ts';
import { ComplianceTable } from './ComplianceTable.tsx';
import { Findings } from './Findings.tsx';
import { isForeign } from './foreign.ts';
import { KeyFigures } from './KeyFigures.tsx';
import { LeftBehind } from './LeftBehind.tsx';
import { QosTable } from './QosTable.tsx';
import { RunMarks } from './RunMarks.tsx';
import { ScoreTree } from './ScoreTree.tsx';
import { StepSamples } from './StepSamples.tsx';
import { TotalsTable } from './TotalsTable.tsx';

interface Props {
  record: RunRecord;
  summary: RunSummary | undefined;
  onTidy: () => Promise<unknown>;
  /** Offers the run as reference; shown where it has none. */
  reference?: ReactNode;
}

/** The result of a finished run: verdict, key figures, calculation, QoS, findings. */
export function RunResult({ record, summary, onTidy, reference }: Props) {
  const { overview, profile, inventoryBefore } = record;
  const { score, verdict } = overview;
  const foreign = isForeign(record.imported);
  const unreferenced = score?.reference === 'none';
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
      <KeyFigures record={record} summary={summary} />
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
        <>
          <ScoreSection record={record} />
          <Section title="Compliance, rule by rule">
            <ComplianceTable record={record} />
          </Section>
          <QosSection overview={overview} />
        </>
      )}
    </Stack>
  );
}

/** How the score came about, with the samples behind each step in a dialog. */
function ScoreSection({ record: { overview, profile } }: { record: RunRecord }) {
  const { score } = overview;
  const [samples, setSamples] = useState<{ link: SampleLink; name: string } | null>(null);
  return (
    <>
      <Section
        title={score?.reference === 'none' ? 'Means, period by period' : 'Score, step by step'}
      >
        {score === null ? (
          <Text size="sm" c={dim}>
            {overview.state === 'aborted'
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
      {samples !== null && (
        <StepSamples
          overview={overview}
          link={samples.link}
          name={samples.name}
          onClose={() => setSamples(null)}
        />
      )}
    </>
  );
}

function QosSection({ overview: { score, state } }: { overview: RunOverview }) {
  return (
    <Section title="Quality of service">
      {score === null || score.periods.length === 0 ? (
        <Text size="sm" c={dim}>
          {state === 'aborted'
            ? 'Not judged: the run was aborted.'
            : 'Not judged: no measurement period ended.'}
        </Text>
      ) : (
        <QosTable score={score} />
      )}
    </Section>
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
