import { Button, Group, Kbd, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconFlask, IconPresentation } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { MadeLab } from '../../../core/customerLab/madeLab.ts';
import type { GalleryItem } from '../../../core/study/study.ts';
import { useCustomerLabListQuery, useGalleryListQuery } from '../../engine/api.ts';
import { type LabClock, useLabClock } from '../../engine/labClock.ts';
import { useSimulated, useWorkspace } from '../../engine/services.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { shortcutKeys } from '../../kit/shortcutKeys.ts';
import { dim } from '../../kit/tones.ts';
import { FaultPanel } from './FaultPanel.tsx';
import { Gallery } from './Gallery.tsx';
import { MadeLabs } from './MadeLabs.tsx';
import { PaceControl } from './PaceControl.tsx';

/**
 * The demo lab: ready-made studies, its clock, its faults. In the real workspace: the way there.
 */
export function LabPage() {
  return useSimulated() ? <DemoLab /> : <WayIn />;
}

function WayIn() {
  const workspace = useWorkspace();
  return (
    <Stack gap="md" maw={720}>
      <Title order={1}>Demo lab</Title>
      <Text>
        A model of hosts, arrays, networks, DRS, tiles and power meters, behind the same console.
        Fifteen published studies are ready to run on it; nothing has to be installed.
      </Text>
      <Text>
        It is a workspace of its own: its connections, plans, runs and history stay apart from the
        real lab, and everything in it is marked SIMULATED. A run on the real lab goes on meanwhile.
      </Text>
      <Group>
        <Button
          leftSection={<IconFlask size={16} aria-hidden />}
          onClick={() => workspace.open('simulated', '/lab')}
        >
          Open the demo lab
        </Button>
      </Group>
    </Stack>
  );
}

function DemoLab() {
  const clock = useLabClock();
  const gallery = useGalleryListQuery({});
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1}>Demo lab</Title>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            component={Link}
            to="/lab/new"
            leftSection={<IconFlask size={14} aria-hidden />}
          >
            Simulate a customer’s lab
          </Button>
          <Button
            size="xs"
            variant="default"
            component={Link}
            to="/present"
            leftSection={<IconPresentation size={14} aria-hidden />}
          >
            Stories to present
          </Button>
        </Group>
      </Group>
      {gallery.error && !gallery.data ? (
        <Failure
          title="The gallery cannot be read"
          error={gallery.error as AppErrorShape}
          onRetry={() => void gallery.refetch()}
        />
      ) : !gallery.data ? (
        <Pending label="gallery" rows={8} />
      ) : gallery.data.length === 0 ? (
        <Nothing text="The gallery is empty." />
      ) : (
        <Contents items={gallery.data} clock={clock} />
      )}
    </Stack>
  );
}

const noLabs: readonly MadeLab[] = [];

function Contents({ items, clock }: { items: readonly GalleryItem[]; clock: LabClock }) {
  const [search, setSearch] = useSearchParams();
  const { data: made = noLabs } = useCustomerLabListQuery({});
  const asked = search.get('tab') ?? 'gallery';
  const tab = asked === 'made' && made.length === 0 ? 'gallery' : asked;
  return (
    <Tabs
      value={tab}
      onChange={(next) => setSearch(next === null || next === 'gallery' ? {} : { tab: next })}
      keepMounted={false}
    >
      <Tabs.List aria-label="Demo lab">
        <Tabs.Tab value="gallery">{`Studies (${items.length})`}</Tabs.Tab>
        {made.length > 0 && <Tabs.Tab value="made">{`Made labs (${made.length})`}</Tabs.Tab>}
        <Tabs.Tab value="clock">Clock</Tabs.Tab>
        <Tabs.Tab value="faults">{`Faults (${clock.status?.labs.reduce((n, l) => n + l.faults.length, 0) ?? 0})`}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="gallery" pt="sm">
        <Gallery items={items} />
      </Tabs.Panel>
      <Tabs.Panel value="made" pt="sm">
        <MadeLabs labs={made} />
      </Tabs.Panel>
      <Tabs.Panel value="clock" pt="sm">
        <Clock clock={clock} />
      </Tabs.Panel>
      <Tabs.Panel value="faults" pt="sm">
        {clock.status ? <FaultPanel status={clock.status} /> : <Pending label="lab" />}
      </Tabs.Panel>
    </Tabs>
  );
}

function Clock({ clock }: { clock: LabClock }) {
  const keys = (shortcut: string): React.ReactNode =>
    shortcutKeys(shortcut).map((key) => (
      <Kbd key={key} size="xs" mr={2}>
        {key}
      </Kbd>
    ));
  if (clock.status === undefined) return <Pending label="clock" rows={2} />;
  return (
    <Paper p="sm">
      <Stack gap="sm" align="flex-start">
        <PaceControl clock={clock} />
        <Text size="sm">
          {clock.status.paused
            ? 'Time stands still. Nothing runs until it is resumed.'
            : clock.status.speed === null
              ? 'Time passes as fast as this machine can compute it.'
              : 'One second here is ' +
                `${clock.status.speed === 1 ? 'one second' : `${clock.status.speed} seconds`} ` +
                'in the lab.'}
        </Text>
        <Text size="sm" c={dim}>
          Elapsed and left on every screen of this workspace are lab time.
        </Text>
        <Group gap="lg" fz="sm">
          <span>{keys('mod+shift+p')} pause or resume</span>
          <span>{keys('mod+[')} slower</span>
          <span>{keys('mod+]')} faster</span>
        </Group>
      </Stack>
    </Paper>
  );
}
