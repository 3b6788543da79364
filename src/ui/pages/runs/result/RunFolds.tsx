import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';

import { counted } from '../../../../core/base/counted.ts';
import { formatExact } from '../../../../core/base/format.ts';
import { scoreHeadroom } from '../../../../core/limits/index.ts';
import { isForeign } from '../../../../core/run/foreign.ts';
import type { RunRecord, RunSummary } from '../../../../core/run/run.ts';
import type { Score } from '../../../../core/run/scoreTypes.ts';
import { complianceFindings } from '../../../../core/score/compliance.ts';
import type { SampleLink } from '../../../../core/score/scoreStep.ts';
import { Fold } from '../../../kit/Fold.tsx';
import { formatDateTime } from '../../../kit/formatDateTime.ts';
import { Table } from '../../../kit/Table.tsx';
import { dim } from '../../../kit/tones.ts';
import { ComplianceTable } from '../ComplianceTable.tsx';
import { PlanSummary } from '../PlanSummary.tsx';
import { QosTable } from '../QosTable.tsx';
import { ScoreTree } from '../ScoreTree.tsx';
import { StepSamples } from '../StepSamples.tsx';

/** All that the result is made of: folded, as few need it each time. */
export function RunFolds({
  record,
  summary,
}: {
  record: RunRecord;
  summary: RunSummary | undefined;
}) {
  const { score } = record.overview;
  const foreign = isForeign(record.imported);
  return (
    <>
      {!foreign && score !== null && score.periods.length > 0 && (
        <>
          <Fold title="Quality of service, limit by limit" said={limitsSaid(score)}>
            <QosTable score={score} />
          </Fold>
          <Fold
            title={score.reference === 'none' ? 'Means, period by period' : 'Score, step by step'}
            said={counted(score.periods.length, 'period')}
          >
            <Steps record={record} score={score} />
          </Fold>
        </>
      )}
      {!foreign && (
        <>
          <Compliance record={record} />
          <Fold title="Plan and tiles" said={counted(record.plan.tiles, 'tile')}>
            <PlanSummary record={record} />
          </Fold>
        </>
      )}
      <Files record={record} summary={summary} />
    </>
  );
}

function limitsSaid(score: Score): string {
  const limits = scoreHeadroom(score);
  const broken = limits.filter(({ headroom }) => headroom !== null && headroom < 0).length;
  return `${counted(limits.length, 'limit')}${broken === 0 ? '' : `, ${broken} broken`}`;
}

/** How the score came about, with the samples behind each step in a dialog. */
function Steps({ record: { overview, profile }, score }: { record: RunRecord; score: Score }) {
  const [samples, setSamples] = useState<{ link: SampleLink; name: string } | null>(null);
  return (
    <>
      <ScoreTree
        score={score}
        profile={profile}
        onSamples={(link, name) => setSamples({ link, name })}
      />
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

function Compliance({ record }: { record: RunRecord }) {
  const findings = useMemo(() => complianceFindings(record), [record]);
  const count = (state: (typeof findings)[number]['state']): number =>
    findings.filter((finding) => finding.state === state).length;
  const said = [
    [count('broken'), 'broken'],
    [count('unproven'), 'not shown'],
    [count('open'), 'to confirm'],
    [count('kept'), 'kept'],
  ]
    .filter(([number]) => number !== 0)
    .map(([number, word]) => `${number} ${word}`);
  return (
    <Fold title="Compliance, rule by rule" said={said.join(', ')}>
      <ComplianceTable record={record} />
    </Fold>
  );
}

/** What is kept of the run, and the file it came in. */
function Files({ record, summary }: { record: RunRecord; summary: RunSummary | undefined }) {
  const { imported, planHash, appVersion } = record;
  const samples = summary?.sampleCount;
  const facts: [string, string][] = [
    ['Samples', samples === undefined ? 'not counted' : formatExact(samples, 0)],
    ['Written by', `Tilebench ${appVersion}`],
    ...(imported === undefined
      ? [['Plan as run', `SHA-256 ${planHash}`] as [string, string]]
      : ([
          ['File', imported.fileName],
          ['Format', imported.format],
          ['SHA-256', imported.sha256],
          ['Opened', formatDateTime(imported.atMs)],
          ['Complete', imported.complete ? 'yes' : 'no, read in part'],
        ] as [string, string][])),
  ];
  return (
    <Fold title="Files" said={imported?.fileName}>
      <Table aria-label="Files" verticalSpacing={3} fz="sm">
        <Table.Tbody>
          {facts.map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th w={120} scope="row">
                {label}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c={dim} mt={6}>
        Export writes samples, reports or everything as one bundle.
      </Text>
    </Fold>
  );
}
