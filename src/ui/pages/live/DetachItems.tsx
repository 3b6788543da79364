import { Menu } from '@mantine/core';
import { useMemo } from 'react';

import { boardCharts } from '../../../core/chart/boardCharts.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { type DetachedPanel, detachedPath } from '../../../wire/detached.ts';
import { useDetach } from '../../kit/useDetach.tsx';
import { panelTitles } from './panelTitles.ts';

/** Entries of a menu that open the board, or one panel of it, in a second window. */
export function DetachItems({
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
    <>
      <Menu.Label>To a second window</Menu.Label>
      {(['board', 'numbers', 'heat', 'placement', 'events'] as const).map((panel) =>
        item(panel, panelTitles[panel]),
      )}
      {charts.length > 0 && <Menu.Label>One chart</Menu.Label>}
      {charts.map(({ id, title }) => item(`chart:${id}`, title))}
    </>
  );
}
