import { Button, Group, Text } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { Link } from 'react-router';

import { repeatedGroups } from '../../../core/study/repeatBoth.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { compareAddress } from '../../addresses/compareAddress.ts';

/** Of a study that repeats two runs: the comparison of all that have ended, group against group. */
export function RepeatsResult({ overview: { spec, points } }: { overview: StudyOverview }) {
  const groups = repeatedGroups(spec, points);
  if (groups === null) return null;
  const [base = [], ...others] = groups;
  const ready = base.length > 0 && others.some((group) => group.length > 0);
  const [first, ...rest] = base;
  return (
    <Group gap="sm">
      <Text size="sm">
        {`Ended: ${groups
          .map((group, i) => {
            const value = String(spec.axes[0]!.values[i]);
            return `${group.length} of ${spec.repeats} ${spec.axes[0]!.valueLabels[value] ?? value}`;
          })
          .join(', ')}.`}
      </Text>
      {ready && (
        <Button
          size="xs"
          component={Link}
          to={compareAddress(first!, [...rest, ...others.flat()])}
          leftSection={<IconArrowsDiff size={14} aria-hidden />}
        >
          Compare the repeats
        </Button>
      )}
    </Group>
  );
}
