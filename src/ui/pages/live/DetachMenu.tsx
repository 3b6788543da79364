import { Button, Menu, ScrollArea } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMemo } from 'react';

import { boardCharts } from '../../../core/chart/boardCharts.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { type DetachedPanel, detachedPath } from '../../../wire/detached.ts';
import { useDetach } from '../../kit/useDetach.tsx';
import { panelTitles } from './panelTitles.ts';

/** Opens the board, or one panel of it, in a second window. */
export function DetachMenu({
  overview,
  profile,
}: {
  overview: RunOverview;
  profile: Profile | null;
}) {
  const detach = useDetach();
  const charts = useMemo(() => boardCharts(overview, profile), [overview, profile]);
  const item = (panel: DetachedPanel, label: string) => (
    <Menu.Item key={panel} onClick={() => detach(detachedPath(overview.id, panel))}>
      {label}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconExternalLink size={14} aria-hidden />}
        >
          Detach
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={420} type="auto">
          <Menu.Label>To a second window</Menu.Label>
          {(['board', 'numbers', 'heat', 'placement', 'events'] as const).map((panel) =>
            item(panel, panelTitles[panel]),
          )}
          {charts.length > 0 && <Menu.Label>One chart</Menu.Label>}
          {charts.map(({ id, title }) => item(`chart:${id}`, title))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
