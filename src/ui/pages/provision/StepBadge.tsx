import { Badge, Group, Text } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconCopy,
  IconHandStop,
  IconPower,
  IconSearch,
  IconTrash,
} from '@tabler/icons-react';

import type { ProvisionItem } from '../../../core/testbed/provision.ts';
import { stepWords } from './words.ts';

const looks: Readonly<Record<ProvisionItem['step'], { color: string; icon: typeof IconClock }>> = {
  waiting: { color: 'gray', icon: IconClock },
  cloning: { color: 'blue', icon: IconCopy },
  registering: { color: 'blue', icon: IconSearch },
  cloned: { color: 'gray', icon: IconCopy },
  poweringOn: { color: 'blue', icon: IconPower },
  checking: { color: 'blue', icon: IconSearch },
  done: { color: 'green', icon: IconCircleCheck },
  failed: { color: 'red', icon: IconCircleX },
  cancelled: { color: 'orange', icon: IconHandStop },
  removing: { color: 'blue', icon: IconTrash },
  removed: { color: 'gray', icon: IconTrash },
  unmade: { color: 'gray', icon: IconCircleMinus },
};

/** Step of one VM: icon and word, and how far its clone is. */
export function StepBadge({ item }: { item: ProvisionItem }) {
  const { color, icon: StepIcon } = looks[item.step];
  return (
    <Group gap={8} wrap="nowrap">
      <Badge
        color={color}
        variant="light"
        tt="none"
        c="var(--mantine-color-text)"
        leftSection={<StepIcon size={13} aria-hidden color={`var(--mantine-color-${color}-6)`} />}
        style={{ overflow: 'visible', flexShrink: 0 }}
      >
        {stepWords[item.step]}
      </Badge>
      {item.step === 'cloning' && item.progressPct !== null && (
        <Text
          span
          size="sm"
          style={{ fontVariantNumeric: 'tabular-nums' }}
        >{`${item.progressPct} %`}</Text>
      )}
    </Group>
  );
}
