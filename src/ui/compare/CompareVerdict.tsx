import { Alert, List, Text, Title } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import type { Comparison } from '../../shared/contract.ts';

/** The sentence, and above everything the reasons why these runs must not be compared. */
export function CompareVerdict({ comparison: { guards, sentence } }: { comparison: Comparison }) {
  return (
    <>
      {guards.length > 0 && (
        <Alert p="sm" color="red" icon={<IconBan aria-hidden />} title="These runs must not be compared">
          <List size="sm" spacing={2}>{guards.map((g) => <List.Item key={g}>{g}</List.Item>)}</List>
          <Text size="sm" mt={4}>The figures below stand for themselves; a difference between them proves nothing.</Text>
        </Alert>
      )}
      <Title order={2} fz={20} data-testid="verdict">{sentence}</Title>
    </>
  );
}
