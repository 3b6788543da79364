import { fail } from '../../../src/core/base/errors.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { compareStudies } from '../../../src/core/study/compareStudies.ts';
import type { Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';

/**
 * Curves of stored studies over each other. Throws notFound for a study or a baseline that is gone.
 */
export function studyCompareMethods({
  db,
  overviewOf,
  profile,
}: {
  db: Database;
  overviewOf: Handlers['study.overview'];
  profile: (id: string) => Profile | undefined;
}): Pick<Handlers, 'study.compare'> {
  return {
    'study.compare': async ({ ids, baseline }, signal) => {
      const studies = [];
      for (const id of new Set(ids)) {
        const overview = await overviewOf({ id }, signal);
        const plan = db.plans.get(overview.spec.planId);
        const workloads = (plan ? (profile(plan.profileId)?.workloads ?? []) : []).map(
          (w) => [w.id, { name: w.name, unit: w.unit }] as const,
        );
        studies.push({
          overview,
          recordOf: (runId: string) => db.runs.find(runId),
          workloads: Object.fromEntries(workloads),
        });
      }
      try {
        return compareStudies(studies, baseline);
      } catch (thrown) {
        if (thrown instanceof RangeError)
          throw fail('notFound', thrown.message, 'Choose a curve of these studies.');
        throw thrown;
      }
    },
  };
}
