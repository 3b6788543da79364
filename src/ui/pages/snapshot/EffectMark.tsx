import { Group, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconMinus, IconPointFilled } from '@tabler/icons-react';

import type { Effect } from '../../../core/snapshot/snapshotFields.ts';

const looks = {
  strong: { icon: IconAlertTriangle, word: 'Strong', color: 'var(--tb-warn)' },
  moderate: { icon: IconInfoCircle, word: 'Moderate', color: 'var(--tb-run)' },
  slight: { icon: IconPointFilled, word: 'Slight', color: 'var(--tb-text-2)' },
  none: { icon: IconMinus, word: 'None', color: 'var(--tb-text-2)' },
} as const;

/**
 * Likely effect on results: an icon and its word; why on hover and for screen readers beside it.
 */
export function EffectMark({ effect, why }: { effect: Effect; why: string }) {
  const { icon: Icon, word, color } = looks[effect];
  return (
    <Group gap={6} wrap="nowrap" title={why}>
      <Icon size={15} aria-hidden color={color} />
      {word}
      <VisuallyHidden>{`(${why})`}</VisuallyHidden>
    </Group>
  );
}
