import { Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconBan,
  IconCircleCheck,
  IconEqual,
  IconQuestionMark,
} from '@tabler/icons-react';

import { type CompareTest, compareWords } from '../../../core/compare/index.ts';
import { bad, dim, good } from '../../kit/tones.ts';

export type CompareWord = CompareTest['word'];
const icons: Readonly<Record<CompareWord, typeof IconEqual>> = {
  better: IconCircleCheck,
  worse: IconAlertTriangle,
  higher: IconArrowUp,
  lower: IconArrowDown,
  withinNoise: IconEqual,
  cannotTell: IconQuestionMark,
  notComparable: IconBan,
};
const colors: Readonly<Record<CompareWord, string>> = {
  better: good,
  worse: bad,
  higher: 'inherit',
  lower: 'inherit',
  withinNoise: dim,
  cannotTell: dim,
  notComparable: dim,
};
export const wordColor = (word: CompareWord): string => colors[word];
/** The same as a tone of a figure that is no judgement of its own where it is undefined. */
export const wordTone = (word: CompareWord): 'good' | 'bad' | undefined =>
  word === 'better' ? 'good' : word === 'worse' ? 'bad' : undefined;

/** A verdict: icon, word and colour, never the colour alone. */
export function VerdictWord({ word }: { word: CompareWord }) {
  const Icon = icons[word];
  return (
    <Group component="span" gap={3} wrap="nowrap" display="inline-flex" c={colors[word]}>
      <Icon size={14} aria-hidden style={{ flexShrink: 0 }} />
      <Text span inherit style={{ whiteSpace: 'nowrap' }}>
        {compareWords[word]}
      </Text>
    </Group>
  );
}
