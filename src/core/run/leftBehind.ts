import type { RunFinding, RunOverview } from './run.ts';
import { isEnd } from './states.ts';

/** Id of a finding before that of its client: output that could not be stored and stays there. */
export const owed = 'owed.';
/** Id of a finding before that of its workload: data of its load that could not be removed. */
export const undone = 'undone.';

/**
 * Findings of an ended run that say something of it is still in the lab: a setting of DRS, VMs,
 * folders of a client, data of a load. Kinds by their id.
 */
export function leftBehind({
  state,
  findings,
}: Pick<RunOverview, 'state' | 'findings'>): RunFinding[] {
  if (!isEnd(state)) return [];
  return findings.filter(
    ({ id, severity }) =>
      severity === 'warn' &&
      (id === 'acts.restore' ||
        id === 'drs.restore' ||
        id === 'infra.restore' ||
        id.startsWith('sweep.') ||
        id.startsWith(undone) ||
        id.startsWith(owed)),
  );
}
