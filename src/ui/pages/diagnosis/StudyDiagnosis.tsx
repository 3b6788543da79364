import { Button, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';

import { pointLabel } from '../../../core/diagnosis/diagnosisPair.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import styles from './diagnosis.module.css';
import { useStudyDiagnosis } from './diagnosisData.ts';
import { DiagnosisView } from './DiagnosisView.tsx';
import { confidenceWords } from './diagnosisWords.ts';

const measuredPoints = (overview: StudyOverview): StudyOverview['points'] =>
  overview.points.filter(
    (point) => point.runId !== null && (point.state === 'passed' || point.state === 'qosFailed'),
  );
const versionOf = (points: StudyOverview['points']): string =>
  points.map((point) => `${point.key} ${point.runId} ${point.state}`).join();
const sectionId = 'why-stopped';

/** The hypotheses in short, beside the curve; the whole is below. */
export function StudyDiagnosisBeside({ overview }: { overview: StudyOverview }) {
  const points = useMemo(() => measuredPoints(overview), [overview]);
  return points.length < 2 ? null : <Beside overview={overview} version={versionOf(points)} />;
}
function Beside({ overview, version }: { overview: StudyOverview; version: string }) {
  const { data } = useStudyDiagnosis({ id: overview.spec.id }, version);
  const diagnosis = data?.diagnosis;
  if (diagnosis == null) return null;
  // The address is the hash: a link to a place on the page would leave it.
  const show = (): void => document.getElementById(sectionId)?.scrollIntoView({ block: 'start' });
  return (
    <Stack gap={4} mt="md">
      <Title order={3} size="sm">
        Likely reasons
      </Title>
      {diagnosis.before !== null && (
        <Text size="xs" c={dim}>
          {`${diagnosis.after.label}, against ${diagnosis.before.label}`}
        </Text>
      )}
      {diagnosis.hypotheses.length === 0 ? (
        <Text size="sm" c={dim}>
          {diagnosis.failing.length === 0 ? 'Nothing falls short yet.' : 'No counter explains it.'}
        </Text>
      ) : (
        <ol className={styles.beside}>
          {diagnosis.hypotheses.slice(0, 3).map((one) => (
            <li key={`${one.cause} ${one.subjects.join()}`}>
              <Text span size="sm">
                {`${one.title}: ` +
                  one.subjects.slice(0, 2).join(', ') +
                  (one.subjects.length > 2 ? ` and ${one.subjects.length - 2} more` : '')}
              </Text>
              <Text
                span
                size="xs"
                c={dim}
              >{` · ${confidenceWords[one.confidence].toLowerCase()}`}</Text>
            </li>
          ))}
        </ol>
      )}
      <Button
        size="compact-xs"
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        onClick={show}
      >
        Evidence
      </Button>
    </Stack>
  );
}

/** Why a study stopped scaling: made again when a point has ended. */
export function StudyDiagnosis({ overview }: { overview: StudyOverview }) {
  const measured = useMemo(() => measuredPoints(overview), [overview]);
  return (
    <Stack
      gap="sm"
      component="section"
      id={sectionId}
      aria-label="Why did it stop scaling"
      style={{ scrollMarginTop: 56 }}
    >
      <Title order={2}>Why did it stop scaling</Title>
      {measured.length < 2 ? (
        <Text size="sm" c={dim}>
          Hypotheses appear here when two points have been measured: from their counters, with
          thresholds and sources.
        </Text>
      ) : (
        <Explained overview={overview} version={versionOf(measured)} />
      )}
    </Stack>
  );
}

function Explained({ overview, version }: { overview: StudyOverview; version: string }) {
  const [curve, setCurve] = useState<string | undefined>(undefined);
  const [keys, setKeys] = useState<{ before?: string; after?: string }>({});
  const asked = useStudyDiagnosis(
    {
      id: overview.spec.id,
      ...(curve === undefined ? {} : { curve }),
      ...(keys.before === undefined ? {} : { beforeKey: keys.before }),
      ...(keys.after === undefined ? {} : { afterKey: keys.after }),
    },
    version,
  );
  if (asked.data === undefined)
    return asked.error ? (
      <Failure title="No diagnosis" error={asked.error} onRetry={asked.retry} />
    ) : (
      <Pending label="diagnosis" rows={5} />
    );
  const { curves, diagnosis, why, beforeKey, afterKey, curve: shown } = asked.data;
  const options = measuredPoints(overview).map((point) => ({
    value: point.key,
    label:
      pointLabel(overview, point) +
      (point.repeat > 1 ? `, repeat ${point.repeat}` : '') +
      (point.state === 'qosFailed' ? ' (QoS failed)' : ''),
  }));
  return (
    <Stack gap="sm">
      <div className={styles.choices}>
        {curves.length > 1 && (
          <NativeSelect
            size="xs"
            label="Curve to explain"
            value={shown ?? ''}
            data={curves.map(({ key, label }) => ({ value: key, label }))}
            onChange={(e) => {
              setCurve(e.currentTarget.value);
              setKeys({});
            }}
          />
        )}
        <NativeSelect
          size="xs"
          label="First point, the last that is well"
          value={beforeKey ?? ''}
          data={beforeKey === null ? [{ value: '', label: 'None' }, ...options] : options}
          onChange={(e) => setKeys({ ...keys, before: e.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label="Second point, the first that is not"
          value={afterKey ?? ''}
          data={afterKey === null ? [{ value: '', label: 'None' }, ...options] : options}
          onChange={(e) => setKeys({ ...keys, after: e.currentTarget.value })}
        />
      </div>
      <Text size="xs" c={dim}>
        {why}
      </Text>
      {diagnosis !== null && (
        <DiagnosisView
          key={`${diagnosis.before?.runId ?? ''} ${diagnosis.after.runId}`}
          diagnosis={diagnosis}
        />
      )}
    </Stack>
  );
}
