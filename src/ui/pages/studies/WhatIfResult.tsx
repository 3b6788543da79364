import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';

import type { StudyOverview } from '../../../core/study/study.ts';
import { notCalibrated, whatIfSentence, whatIfWords } from '../../../core/study/whatIf.ts';
import { dim } from '../../kit/tones.ts';

/** Of a study of a changed lab: what its curves say in a sentence, and what was changed. */
export function WhatIfResult({ overview }: { overview: StudyOverview }) {
  const words = whatIfWords(overview.spec);
  if (words.length === 0) return null;
  return (
    <Paper p="md" component="section" aria-label="What the changes do">
      <Stack gap={6}>
        <Title order={2} size={20}>
          <span role="status">
            {whatIfSentence(overview) ??
              'What the changes do is said here once both curves are measured.'}
          </span>
        </Title>
        <Text size="sm">{`Changed: ${words.join('; ')}.`}</Text>
        <Text size="sm" c={dim}>
          {`Simulated. ${notCalibrated} `}
          <Anchor size="sm" component={Link} to={`/studies/${overview.spec.id}/what-if`}>
            Change further
          </Anchor>
        </Text>
      </Stack>
    </Paper>
  );
}
