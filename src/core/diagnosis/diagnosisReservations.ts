import { align, type Case, coverage, evidence } from './diagnosisEvidence.ts';
import type { RunFeatures, StoreFeature, Trace } from './diagnosisFeatures.ts';
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

/**
 * Commands that were refused because another host held the LUN, of all that were sent, in percent;
 * null where either was not measured.
 */
function conflictsPct(
  { conflictsPerS, iops }: StoreFeature,
  pick: (trace: Trace) => number | null,
): number | null {
  const refused = conflictsPerS && pick(conflictsPerS),
    done = iops && pick(iops);
  if (refused === null || done === null) return null;
  return refused > 0 ? (100 * refused) / (refused + done) : 0;
}
const meanPct = (store: StoreFeature): number | null => conflictsPct(store, (trace) => trace.mean);

const find = (of: Case): Candidate[] =>
  worstOf(
    of.after.stores.flatMap((store): Candidate[] => {
      const pct = meanPct(store),
        strength = level(pct, { ...thresholds.conflicts, from: 0 });
      if (pct === null || strength < 0.05) return [];
      const earlier = of.before?.stores.find((one) => one.ref === store.ref);
      const was = earlier === undefined ? null : meanPct(earlier);
      const sits = (one: Case['failing'][number]): boolean =>
        one.workload.storeRefs.includes(store.ref);
      const on = coverage(of, sits);
      const alignment = align(
        of,
        (store.conflictsPerS?.buckets ?? []).map((_value, i) => {
          const step = conflictsPct(store, (trace) => trace.buckets[i] ?? null);
          return step === null ? null : step / thresholds.conflicts.from;
        }),
        of.failing.find(sits),
      );
      const row = (said: Omit<Parameters<typeof evidence>[1], 'id' | 'name'>) =>
        evidence(of, { ...said, id: store.ref, name: store.name });
      return [
        {
          cause: 'reservations',
          subjects: [store.name],
          refs: [store.ref],
          score: explains(strength, on, riseWeight(was, pct, 2), alignment),
          alignment,
          on,
          evidence: [
            row({
              metric: 'reservationConflictsPerS',
              label: 'Commands refused by a reservation',
              unit: '%',
              before: was,
              after: pct,
              threshold: thresholds.conflicts,
              seriesIds: store.conflictsPerS?.seriesIds,
            }),
            row({
              metric: null,
              label: 'Hosts that mount it',
              unit: '',
              before: earlier?.hosts,
              after: store.hosts,
            }),
          ],
          explanation:
            `${pct.toFixed(1)} % of the commands to ${store.name} were refused because another ` +
            `host held it; ${store.hosts} ${store.hosts === 1 ? 'host mounts' : 'hosts mount'} it.`,
          remedy:
            'Use an array and a file system that lock in hardware (ATS), fewer hosts a LUN, and ' +
            'fewer snapshots, copies and power operations at a time.',
        },
      ];
    }),
  );

const shares = ({ stores }: RunFeatures): (number | null)[] => stores.map(meanPct);
export const reservations: Rule = {
  find,
  needs: ['reservations'],
  isFull: (run) => anyFull(shares(run), thresholds.conflicts),
  cleared: (run) => sayMost(shares(run), (most) => `At most ${most} % of commands refused.`, 1),
};
