import { Stack, Text, Title } from '@mantine/core';

import { type ActDiagnosis, actTimeWords } from '../../../core/diagnosis/diagnosis.ts';
import { dim } from '../../kit/tones.ts';
import styles from './diagnosis.module.css';

/** What each act of the plan did, and what fell short before, while and after it was under way. */
export function ActDiagnoses({ acts }: { acts: readonly ActDiagnosis[] }) {
  if (acts.length === 0) return null;
  return (
    <Stack gap={4}>
      <Title order={3} size="sm">
        Acts of the plan
      </Title>
      {acts.map(({ actId, words, windows }) => (
        <div key={actId}>
          <Text size="sm">{words}</Text>
          <ul className={styles.plain}>
            {windows.map((one) => (
              <li key={one.name}>
                <Text span size="xs">
                  {actTimeWords(one)}
                </Text>
                <Text span size="xs" c={dim}>{` · ${one.words}`}</Text>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Stack>
  );
}
