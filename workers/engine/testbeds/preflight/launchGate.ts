import { fail } from '../../../../src/core/base/errors.ts';
import { forbiddingText, forbidsLaunch } from '../../../../src/core/plan/checkReport.ts';
import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import type { Peers } from '../../connections/peers.ts';
import type { LaunchInputs } from '../../plans/hash.ts';
import { workloadUnits } from '../../runs/series.ts';
import type { CheckBook } from './book.ts';
import { changedFacts, launchFacts } from './launchFacts.ts';

/** Gives the findings somebody waived; throws conflict where the launch must not be. */
export type LaunchGate = (
  planId: string,
  inputs: LaunchInputs,
  checkedHash: string,
  signal: AbortSignal,
) => Promise<CheckFinding[]>;

/** Changes told by name. */
const changesTold = 6;

/**
 * Lets a launch through when its check was made here, forbids nothing, and the inventory still is
 * what was checked.
 */
export function createLaunchGate({ peers, book }: { peers: Peers; book: CheckBook }): LaunchGate {
  return async (planId, inputs, checkedHash, signal) => {
    const checked = book.get(planId);
    if (checked?.report.hash !== checkedHash)
      throw fail(
        'conflict',
        'This engine has not checked the plan as it is now.',
        'Check the plan again.',
      );
    const forbidding = checked.report.findings.filter(forbidsLaunch);
    if (forbidding.length > 0)
      throw fail(
        'conflict',
        `The check forbids the launch: ${forbiddingText(forbidding)}.`,
        'Mend what blocks, or waive it with a reason where that is possible.',
      );
    if (checked.facts !== null && inputs.testbed.vcenterId !== null) {
      const inventory = await (
        await peers.vcenter(inputs.testbed.vcenterId, signal)
      ).inventory(signal);
      const changed = changedFacts(
        checked.facts,
        launchFacts(inputs, workloadUnits(inputs.profile, inputs.testbed, inputs.plan), inventory),
      );
      if (changed.length > 0)
        throw fail(
          'conflict',
          'The testbed changed after the check: ' +
            `${changed.slice(0, changesTold).join('; ')}${changed.length > changesTold ? ` and ${changed.length - changesTold} more` : ''}.`,
          'Check the plan again.',
        );
    }
    return checked.report.findings.filter((finding) => finding.waived !== undefined);
  };
}
