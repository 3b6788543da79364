import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';

import { causeWords, type Diagnosis } from '../../../core/diagnosis/diagnosis.ts';
import { dim } from '../../kit/tones.ts';
import { ActDiagnoses } from './ActDiagnoses.tsx';
import styles from './diagnosis.module.css';
import { HypothesisItem } from './HypothesisItem.tsx';

/**
 * Ranked hypotheses with their evidence, what was cleared, and what could be neither blamed nor
 * cleared.
 */
export function DiagnosisView({ diagnosis }: { diagnosis: Diagnosis }) {
  const { failing, hypotheses, acts, cleared, notMeasured, healthy, sentence } = diagnosis;
  const [open, setOpen] = useState<number | null>(null);
  // Where nothing falls short there is nothing to clear of it.
  if (failing.length === 0)
    return (
      <Stack gap="sm">
        <Text size="sm">{sentence}</Text>
        <ActDiagnoses acts={acts} />
      </Stack>
    );
  return (
    <Stack gap="sm">
      {healthy && (
        <Group gap={6}>
          <Badge
            variant="light"
            color="green"
            leftSection={<IconCircleCheck size={12} aria-hidden />}
          >
            Healthy saturation
          </Badge>
        </Group>
      )}
      <Text size="sm">{sentence}</Text>
      {hypotheses.length > 0 && (
        <ol className={styles.list} aria-label="Hypotheses, the likeliest first">
          {hypotheses.map((one, i) => (
            <HypothesisItem
              key={`${one.cause} ${one.subjects.join()}`}
              hypothesis={one}
              rank={i + 1}
              diagnosis={diagnosis}
              open={open === i}
              onOpen={(now) => setOpen(now ? i : null)}
            />
          ))}
        </ol>
      )}
      <ActDiagnoses acts={acts} />
      {cleared.length > 0 && (
        <Stack gap={4}>
          <Title order={3} size="sm">
            Cleared
          </Title>
          <ul className={styles.plain}>
            {cleared.map(({ cause, words }) => (
              <li key={cause}>
                <Text span size="xs">
                  {causeWords[cause]}
                </Text>
                <Text span size="xs" c={dim}>{` · ${words}`}</Text>
              </li>
            ))}
          </ul>
        </Stack>
      )}
      <Stack gap={4}>
        <Title order={3} size="sm">
          Not measured
        </Title>
        <Text size="xs" c={dim}>
          What could be neither blamed nor cleared.
        </Text>
        <ul className={styles.plain}>
          {notMeasured.map(({ what, why, causes }) => (
            <li key={what}>
              <Text span size="xs">
                {what}
              </Text>
              <Text span size="xs" c={dim}>
                {' · ' +
                  why +
                  (causes.length > 0
                    ? ` Unknown: ${causes.map((cause) => causeWords[cause].toLowerCase()).join(', ')}.`
                    : '')}
              </Text>
            </li>
          ))}
        </ul>
      </Stack>
    </Stack>
  );
}
