import { formatElapsed } from '../base/format.ts';
import type { Act } from './act.ts';
import { actKinds, actLabel, inTime } from './kinds.ts';

/** Something wrong with an act; `field` of the act is where. */
export interface ActProblem {
  actId: string;
  field: 'atS' | 'target' | 'lastsS' | 'amount' | 'by' | 'id';
  text: string;
  fix: string;
}

/**
 * What keeps acts from being carried out in a steady state of `steadyS` seconds, without a look at
 * the testbed. `simulated`: whether the run is on a simulated lab.
 */
export function actProblems(
  acts: readonly Act[],
  steadyS: number,
  simulated: boolean,
): ActProblem[] {
  const problems: ActProblem[] = [];
  const seen = new Set<string>();
  for (const act of acts) {
    const kind = actKinds[act.kind];
    const add = (field: ActProblem['field'], text: string, fix: string): void => {
      problems.push({ actId: act.id, field, text, fix });
    };
    if (seen.has(act.id))
      add('id', `two acts have the id ${act.id}`, 'Give each act an id of its own.');
    seen.add(act.id);
    if (act.atS >= steadyS)
      add(
        'atS',
        `at ${formatElapsed(act.atS * 1_000)}, after the steady state of ${formatElapsed(steadyS * 1_000)}`,
        'Choose an earlier time, or lengthen the steady state.',
      );
    if (kind.target !== null && act.target === null)
      add('target', `no ${kind.target} is chosen`, `Choose the ${kind.target}.`);
    if (kind.target === null && act.target !== null)
      add('target', `${kind.title} has no target`, 'Remove the target.');
    if (
      kind.amount !== null &&
      (act.amount === null ||
        !Number.isInteger(act.amount) ||
        act.amount < kind.amount.min ||
        act.amount > kind.amount.max)
    )
      add(
        'amount',
        `${kind.amount.label} is ${act.amount ?? 'not set'}`,
        `Choose a whole number from ${kind.amount.min} to ${kind.amount.max}.`,
      );
    const able = simulated ? kind.console.simulated : kind.console.vcenter;
    if (act.by === 'console' && !able)
      add(
        'by',
        'vCenter has no call for it, so the console cannot do it',
        'Do it by hand: the live board counts down to it, and you press Done.',
      );
  }
  return [...problems, ...overlaps(acts)];
}

/** Two acts on the same thing at the same time. */
function overlaps(acts: readonly Act[]): ActProblem[] {
  const found: ActProblem[] = [];
  const untilS = new Map<string, { act: Act; endS: number }>();
  for (const act of inTime(acts)) {
    const key = act.target === null ? act.kind : act.target.ref;
    const before = untilS.get(key);
    if (before !== undefined && act.atS < before.endS)
      found.push({
        actId: act.id,
        field: 'atS',
        text: `${actLabel(before.act)} still lasts then`,
        fix: 'Let the earlier act end before, or choose a later time.',
      });
    const endS = act.lastsS === null ? Infinity : act.atS + act.lastsS;
    if (before === undefined || endS > before.endS) untilS.set(key, { act, endS });
  }
  return found;
}
