import { align, type Case, coverage, shares } from './diagnosisEvidence.ts';
import type { RunFeatures } from './diagnosisFeatures.ts';
import { hostOf, hostRow } from './diagnosisHosts.ts';
import {
  anyFull,
  type Candidate,
  explains,
  riseWeight,
  type Rule,
  sayMost,
  worstOf,
} from './diagnosisRule.ts';
import { level, thresholds } from './diagnosisThresholds.ts';

/** Memory read back from swap, or ballooned beyond what idle memory gives. */
function findMemory(of: Case): Candidate[] {
  return worstOf(
    of.after.hosts.flatMap((host): Candidate[] => {
      const swapIn = host.swapInKBps?.mean ?? null,
        swapped = host.swapMb?.mean ?? null,
        balloonPct =
          host.balloonMb === null || host.memoryMb === null
            ? null
            : (100 * host.balloonMb.mean) / host.memoryMb;
      const swapping =
        swapped !== null && swapped > 0
          ? level(swapIn, { from: thresholds.swapIn.from / 5, full: thresholds.swapIn.full })
          : 0;
      const ballooned = 0.3 * level(balloonPct, thresholds.balloon);
      const strength = Math.max(swapping === 0 ? 0 : 0.5 + 0.5 * swapping, ballooned);
      if (strength < 0.05) return [];
      const was = hostOf(of.before, host.ref);
      const on = coverage(of, (one) => one.workload.hostRef === host.ref);
      const alignment = align(
        of,
        shares(host.swapInKBps, thresholds.swapIn.from),
        of.failing.find((one) => one.workload.hostRef === host.ref),
      );
      const rise = riseWeight(
        was?.swapInKBps?.mean,
        swapIn ?? 0,
        Math.max(100, (swapIn ?? 0) * 0.5),
      );
      return [
        {
          cause: 'memory',
          subjects: [host.name],
          score: explains(strength, on, rise, alignment),
          alignment,
          on,
          refs: [host.ref],
          evidence: [
            hostRow(of, host, {
              metric: 'swapInKBps',
              label: 'Read back from swap',
              unit: 'KB/s',
              before: was?.swapInKBps?.mean,
              after: swapIn,
              threshold: thresholds.swapIn,
              seriesIds: host.swapInKBps?.seriesIds,
            }),
            hostRow(of, host, {
              metric: 'swapMb',
              label: 'Swapped memory',
              unit: 'MB',
              before: was?.swapMb?.mean,
              after: swapped,
              seriesIds: host.swapMb?.seriesIds,
            }),
            hostRow(of, host, {
              metric: 'balloonMb',
              label: 'Ballooned memory',
              unit: 'MB',
              before: was?.balloonMb?.mean,
              after: host.balloonMb?.mean,
              seriesIds: host.balloonMb?.seriesIds,
            }),
          ],
          explanation:
            swapping > 0
              ? `${host.name} has ${(swapped ?? 0).toFixed(0)} MB of its guests swapped out ` +
                `and reads ${(swapIn ?? 0).toFixed(0)} KB/s of it back.`
              : `${host.name} takes ${(balloonPct ?? 0).toFixed(0)} % of its memory back from ` +
                'its guests by ballooning; none is read back from swap.',
          remedy: 'Give the host more memory, the VMs less, or spread them.',
        },
      ];
    }),
  );
}

const swapIns = ({ hosts }: RunFeatures): (number | undefined)[] =>
  hosts.map((host) => host.swapInKBps?.mean);

export const memory: Rule = {
  find: findMemory,
  needs: ['hosts', 'hostMemory'],
  isFull: (run) => anyFull(swapIns(run), thresholds.swapIn),
  cleared: (run) => sayMost(swapIns(run), (most) => `At most ${most} KB/s read back from swap.`),
};
