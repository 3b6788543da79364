import { useMemo } from 'react';

import type { StudyOverview } from '../../../core/study/study.ts';
import { useRunRecord } from '../../engine/runData.ts';
import type { BigNumber } from './numbers.ts';
import { newestPoint, studyNumbers } from './studyNumbers.ts';

const none: readonly BigNumber[] = [];

/**
 * Numbers of a study at its newest point; the point's run is asked for its VMs and users. Empty
 * before the first point. `curve`: of that value of the second axis.
 */
export function useStudyNumbers(overview: StudyOverview, curve?: string): readonly BigNumber[] {
  const point = newestPoint(overview, curve);
  const record = useRunRecord(point?.runId ?? '', 'ended', point?.runId == null).data;
  return useMemo(() => {
    if (point === null) return none;
    const own = record !== undefined && record.overview.id === point.runId ? record : null;
    return studyNumbers(overview, point, own, own?.overview.workloads ?? []);
  }, [overview, point, record]);
}
