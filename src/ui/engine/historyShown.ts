import type { HistoryEntry } from '../../core/history/history.ts';

export const places = ['inUse', 'archived', 'all', 'deleted'] as const;
/** Which part of the history: in use, archived, both, or what lies in Deleted. */
export type Place = (typeof places)[number];

/** What the history shows. Kept in the address, so that a view can be sent on. */
export interface HistoryShown {
  text: string;
  place: Place;
  kind: 'all' | HistoryEntry['kind'];
  /** `all`, `active`, or a state of runs or studies. */
  state: string;
  /** null = every profile. */
  profileId: string | null;
  origin: 'all' | 'real' | 'simulated' | 'replay' | 'imported';
  compliance: 'all' | 'compliant' | 'notCompliant';
  tag: string | null;
  /** null = any; '' = in no folder; else with the folders in it. */
  folder: string | null;
  favourite: boolean;
}
export const noFilter: HistoryShown = {
  text: '',
  place: 'inUse',
  kind: 'all',
  state: 'all',
  profileId: null,
  origin: 'all',
  compliance: 'all',
  tag: null,
  folder: null,
  favourite: false,
};
