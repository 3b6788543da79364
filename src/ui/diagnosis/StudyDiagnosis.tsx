import { NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { pointLabel } from '../../shared/diagnosisPair.ts';
import type { StudyOverview } from '../../shared/study.ts';
import { Failure, Pending } from '../runs/LoadState.tsx';
import { dim } from '../runs/tones.ts';
import { DiagnosisView } from './DiagnosisView.tsx';
import { useStudyDiagnosis } from './diagnosisData.ts';

/** Why a study stopped scaling: beside its curve, made again when a point has ended. */
export function StudyDiagnosis({ overview }: { overview: StudyOverview }) {
  const measured = useMemo(() => overview.points.filter((point) => point.runId !== null && (point.state === 'passed' || point.state === 'qosFailed')), [overview.points]);
  return (
    <Stack gap="sm" component="section" aria-label="Why did it stop scaling">
      <Title order={2}>Why did it stop scaling</Title>
      {measured.length < 2
        ? <Text size="sm" c={dim}>Hypotheses appear here when two points have been measured: from their counters, with thresholds and sources.</Text>
        : <Explained overview={overview} version={measured.map((point) => `${point.key} ${point.runId} ${point.state}`).join()} />}
    </Stack>
  );
}

function Explained({ overview, version }: { overview: StudyOverview; version: string }) {
  const [curve, setCurve] = useState<string | undefined>(undefined);
  const [keys, setKeys] = useState<{ before?: string; after?: string }>({});
  const asked = useStudyDiagnosis({ id: overview.spec.id, ...(curve === undefined ? {} : { curve }), ...(keys.before === undefined ? {} : { beforeKey: keys.before }), ...(keys.after === undefined ? {} : { afterKey: keys.after }) }, version);
  if (asked.data === undefined) return asked.error ? <Failure title="No diagnosis" error={asked.error} onRetry={asked.retry} /> : <Pending label="diagnosis" rows={5} />;
  const { curves, diagnosis, why, beforeKey, afterKey, curve: shown } = asked.data;
  const options = overview.points.filter((point) => point.runId !== null && (point.state === 'passed' || point.state === 'qosFailed')).map((point) => ({ value: point.key, label: `${pointLabel(overview, point)}${point.repeat > 1 ? `, repeat ${point.repeat}` : ''}${point.state === 'qosFailed' ? ' (QoS failed)' : ''}` }));
  return (
    <Stack gap="sm">
      {curves.length > 1 && <NativeSelect size="xs" label="Curve to explain" value={shown ?? ''} data={curves.map(({ key, label }) => ({ value: key, label }))} onChange={(e) => { setCurve(e.currentTarget.value); setKeys({}); }} />}
      <NativeSelect size="xs" label="First point, the last that is well" value={beforeKey ?? ''} data={beforeKey === null ? [{ value: '', label: 'None' }, ...options] : options} onChange={(e) => setKeys({ ...keys, before: e.currentTarget.value })} />
      <NativeSelect size="xs" label="Second point, the first that is not" value={afterKey ?? ''} data={afterKey === null ? [{ value: '', label: 'None' }, ...options] : options} onChange={(e) => setKeys({ ...keys, after: e.currentTarget.value })} />
      <Text size="xs" c={dim}>{why}</Text>
      {diagnosis !== null && <DiagnosisView key={`${diagnosis.before?.runId ?? ''} ${diagnosis.after.runId}`} diagnosis={diagnosis} />}
    </Stack>
  );
}
