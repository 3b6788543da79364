import { Badge, Button, Group, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

import type { RunOverview } from '../../core/run/run.ts';
import { useWorkspace } from '../engine/services.ts';
import { useAppSelector } from '../engine/store.ts';
import { ProductMark } from '../kit/ProductMark.tsx';
import { ReplayMark } from '../kit/ReplayMark.tsx';
import { SimulatedMark } from '../kit/SimulatedMark.tsx';
import { ActiveRunPill } from './ActiveRunPill.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { OtherVersion } from './OtherVersion.tsx';
import type { Place } from './Rail.tsx';
import classes from './shell.module.css';

interface Props {
  place: Place;
  active: RunOverview | null;
  onCommand: (id: string) => void;
}

/** Where one is, what runs, and the way to all commands. */
export function TopBar({ place, active, onCommand }: Props) {
  const link = useAppSelector((state) => state.link.state);
  const simulated = useWorkspace().kind === 'simulated';
  return (
    <Group h="100%" px="sm" justify="space-between" wrap="nowrap">
      <Group gap={8} wrap="nowrap" className={classes.place}>
        <ProductMark />
        <Text fw={600} className={classes.product}>
          Tilebench
        </Text>
        <Text c="dimmed" aria-hidden className={classes.product}>
          /
        </Text>
        <Breadcrumb {...place} />
        <SimulatedMark />
        <ReplayMark />
      </Group>
      <Group gap="sm" wrap="nowrap" className={classes.acts}>
        {link === 'closed' && (
          <Badge color="red" variant="filled" tt="none" role="status">
            Engine not connected, trying again
          </Badge>
        )}
        {link === 'otherVersion' && <OtherVersion />}
        {active && <ActiveRunPill run={active} />}
        {simulated && (
          <Button variant="default" size="xs" onClick={() => onCommand('lab.close')}>
            Back to the real lab
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconSearch size={14} aria-hidden />}
          onClick={() => onCommand('view.palette')}
        >
          Commands
        </Button>
      </Group>
    </Group>
  );
}
