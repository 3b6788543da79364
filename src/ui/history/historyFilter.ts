import { isEnd, type RunSummary } from '../../shared/run.ts';
import { stateWords } from '../runs/runWords.ts';

/** What the history shows. Kept in the address, so that a view can be sent on. */
export interface HistoryFilter {
  text: string;
  state: 'all' | 'passed' | 'failed' | 'aborted' | 'active';
  /** null = every profile. */
  profileId: string | null;
  origin: 'all' | RunSummary['origin'];
  compliance: 'all' | 'compliant' | 'notCompliant';
}
export const noFilter: HistoryFilter = { text: '', state: 'all', profileId: null, origin: 'all', compliance: 'all' };

const searchable = (run: RunSummary): string => [run.name, run.id, run.profileName, run.testbedName, stateWords[run.state], run.resultName].join('\n').toLowerCase();

/** Runs that match every word of the text and each choice, in the order given. */
export function filterRuns(runs: readonly RunSummary[], filter: HistoryFilter): RunSummary[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return runs.filter((run) => {
    if (filter.state !== 'all' && (filter.state === 'active' ? isEnd(run.state) : run.state !== filter.state)) return false;
    if (filter.profileId !== null && run.profileId !== filter.profileId) return false;
    if (filter.origin !== 'all' && run.origin !== filter.origin) return false;
    if (filter.compliance !== 'all' && run.compliant !== (filter.compliance === 'compliant')) return false;
    const text = words.length === 0 ? '' : searchable(run);
    return words.every((word) => text.includes(word));
  });
}

/** The newest first; runs that never started come before all, they are being made. */
export function newestFirst(runs: readonly RunSummary[]): RunSummary[] {
  return [...runs].sort((a, b) => (b.startedAtMs ?? Infinity) - (a.startedAtMs ?? Infinity) || 0);
}

const states = ['passed', 'failed', 'aborted', 'active'] as const;
const origins = ['real', 'simulated', 'replay'] as const;

/** The filter of an address; unknown words are ignored. */
export function filterFromParams(params: URLSearchParams): HistoryFilter {
  const one = <T extends string>(name: string, allowed: readonly T[]): T | 'all' => allowed.find((v) => v === params.get(name)) ?? 'all';
  return { text: params.get('q') ?? '', state: one('state', states), profileId: params.get('profile'), origin: one('origin', origins), compliance: one('rules', ['compliant', 'notCompliant'] as const) };
}

/** The address of a filter: only what is chosen. */
export function paramsFromFilter(filter: HistoryFilter): URLSearchParams {
  const params = new URLSearchParams();
  if (filter.text) params.set('q', filter.text);
  if (filter.state !== 'all') params.set('state', filter.state);
  if (filter.profileId !== null) params.set('profile', filter.profileId);
  if (filter.origin !== 'all') params.set('origin', filter.origin);
  if (filter.compliance !== 'all') params.set('rules', filter.compliance);
  return params;
}
