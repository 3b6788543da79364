import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';

import { intervalText } from '../../../core/compare/compareVerdict.ts';
import type { Comparison } from '../../../core/compare/comparison.ts';
import { dim } from '../../kit/tones.ts';

/**
 * The sentence with what it rests on, and above everything the reasons why these runs must not be
 * compared.
 */
export function CompareVerdict({
  comparison: { guards, sentence, rows, sides },
}: {
  comparison: Comparison;
}) {
  return (
    <>
      <GuardBanner guards={guards} />
      <Stack gap={2}>
        <Title order={2} fz={20} data-testid="verdict">
          {sentence}
        </Title>
        {guards.length === 0 &&
          sides.slice(1).map((side, i) => {
            const test = rows[0]?.tests[i + 1];
            const text = test ? intervalText(test) : '';
            return text === '' ? null : (
              <Text
                key={side.runs.join(' ')}
                size="sm"
                c={dim}
              >{`${sides.length > 2 ? `${side.name}: ` : ''}${text}; ${test!.basis}.`}</Text>
            );
          })}
      </Stack>
    </>
  );
}

/** Why these must not be compared, above everything. */
export function GuardBanner({ guards }: { guards: readonly string[] }) {
  if (guards.length === 0) return null;
  return (
    <Alert
      p="sm"
      color="red"
      role="alert"
      icon={<IconBan aria-hidden />}
      title="These runs must not be compared"
    >
      <List size="sm" spacing={2}>
        {guards.map((g) => (
          <List.Item key={g}>{g}</List.Item>
        ))}
      </List>
      <Text size="sm" mt={4}>
        The figures below stand for themselves; a difference between them proves nothing.
      </Text>
    </Alert>
  );
}
