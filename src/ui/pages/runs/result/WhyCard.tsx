import { Button, Group, Modal, Paper, Text, Title } from '@mantine/core';
import { useState } from 'react';

import type { Evidence, Hypothesis } from '../../../../core/diagnosis/diagnosis.ts';
import type { RunOverview } from '../../../../core/run/run.ts';
import { abortWords } from '../../../../core/run/runWords.ts';
import { steadyPlanned } from '../../../../core/run/windows.ts';
import { dim } from '../../../kit/tones.ts';
import { useRunDiagnosis } from '../../diagnosis/diagnosisData.ts';
import { confidenceWords, figure } from '../../diagnosis/diagnosisWords.ts';
import { RunDiagnosis } from '../../diagnosis/RunDiagnosis.tsx';
import styles from './result.module.css';

/** Why it came out so: the likeliest cause with its evidence, or what ended the run. */
export function WhyCard({ overview, onLog }: { overview: RunOverview; onLog: () => void }) {
  const isFailed = overview.state === 'failed';
  const reachedSteady = steadyPlanned(overview) !== null;
  const [whole, setWhole] = useState(false);
  return (
    <Paper p="sm" component="section" aria-label="Why">
      <Group justify="space-between" mb={6}>
        <Title order={2}>Why</Title>
        {!isFailed && reachedSteady && overview.series.length > 0 ? (
          <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
            All evidence
          </Button>
        ) : (
          <Button size="compact-xs" variant="subtle" onClick={onLog}>
            Log
          </Button>
        )}
      </Group>
      {isFailed ? (
        <EndedBy overview={overview} />
      ) : overview.series.length === 0 ? (
        <Text size="sm">Nothing was measured that could be explained.</Text>
      ) : reachedSteady ? (
        <FirstCause runId={overview.id} />
      ) : (
        <Text size="sm">The run ended before its steady state: there is nothing to explain.</Text>
      )}
      {whole && (
        <Modal
          opened
          size="90%"
          title="Why"
          onClose={() => setWhole(false)}
          closeButtonProps={{ 'aria-label': 'Close' }}
          transitionProps={{ duration: 0 }}
        >
          <RunDiagnosis runId={overview.id} />
        </Modal>
      )}
    </Paper>
  );
}

/** Of a run that something ended: what, and what to do about it. */
function EndedBy({ overview: { abortReason, findings } }: { overview: RunOverview }) {
  const fixes = findings.flatMap(({ severity, fix }) =>
    severity === 'block' && fix !== undefined ? [fix] : [],
  );
  return (
    <>
      <Text size="sm">
        {abortReason === null
          ? 'It gave nothing that could be scored.'
          : `It ended early: ${abortWords[abortReason]}.`}
      </Text>
      {fixes.map((fix) => (
        <Text key={fix} size="sm" mt={4}>
          {fix}
        </Text>
      ))}
    </>
  );
}

function FirstCause({ runId }: { runId: string }) {
  const { data, error } = useRunDiagnosis(runId, null);
  if (data === undefined)
    return (
      <Text size="sm" c={dim} role="status">
        {error === null ? 'Looking for causes' : error.message}
      </Text>
    );
  const first = data.hypotheses[0];
  if (data.failing.length === 0 || first === undefined)
    return <Text size="sm">{data.sentence}</Text>;
  const others = data.hypotheses.length - 1;
  return (
    <>
      <Text size="sm" fw={600}>
        {first.title}
        <Text span inherit fw={400}>
          {first.subjects.length === 0 ? '' : ` · ${subjectText(first)}`}
        </Text>
      </Text>
      <Text size="xs" c={dim} mb={4}>
        {`${confidenceWords[first.confidence]}${others === 0 ? '' : `; ${others} more ${others === 1 ? 'cause' : 'causes'} possible`}`}
      </Text>
      <ul className={styles.evidence} aria-label={`Evidence: ${first.title}`}>
        {first.evidence.slice(0, 3).map((row) => (
          <EvidenceRow key={`${row.entityId} ${row.label}`} row={row} />
        ))}
      </ul>
      <Text size="sm" mt={4}>
        {first.remedy}
      </Text>
    </>
  );
}

const subjectText = ({ subjects }: Hypothesis): string =>
  `${subjects.slice(0, 3).join(', ')}${subjects.length > 3 ? ` and ${subjects.length - 3} more` : ''}`;

function EvidenceRow({ row }: { row: Evidence }) {
  const against =
    row.threshold !== null
      ? `limit ${figure(row.threshold)} ${row.unit}`
      : row.before !== null
        ? `was ${figure(row.before)} ${row.unit}`
        : '';
  return (
    <li>
      <span>{`${row.label} ${row.entityName}`}</span>
      <span>
        {row.after === null ? 'not measured' : `${figure(row.after)} ${row.unit}`}
        <span className={styles.dim}>{against === '' ? '' : `, ${against}`}</span>
      </span>
    </li>
  );
}
