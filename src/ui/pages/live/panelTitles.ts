import type { DetachedPanel } from '../../../wire/detached.ts';

export const panelTitles = {
  board: 'Live board',
  numbers: 'Big numbers',
  heat: 'QoS headroom',
  placement: 'Placement of VMs',
  events: 'Events',
} as const;

/** The title of a panel; a chart has its own. */
export const panelTitle = (panel: DetachedPanel, chartTitle: string | undefined): string =>
  panel in panelTitles ? panelTitles[panel as keyof typeof panelTitles] : (chartTitle ?? 'Chart');
