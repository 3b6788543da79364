import { useCallback, useMemo } from 'react';

import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import type { Input, Output } from '../../../wire/contract.ts';
import { api } from '../../engine/api.ts';

/**
 * What only the diagnosis asks for. `version` tells one answer of a study from the next: a point
 * that ended may be another pair.
 */
const diagnosisApi = api.injectEndpoints({
  endpoints: (build) => ({
    runDiagnosis: build.query<Output<'run.diagnose'>, Input<'run.diagnose'>>({
      query: (input) => ({ method: 'run.diagnose', input }),
    }),
    studyDiagnosis: build.query<
      Output<'study.diagnose'>,
      { ask: Input<'study.diagnose'>; version: string }
    >({ query: ({ ask }) => ({ method: 'study.diagnose', input: ask }) }),
  }),
});

export interface Explained<T> {
  data: T | undefined;
  error: AppErrorShape | null;
  retry: () => void;
}
function useExplained<T>({
  data,
  currentData,
  error,
  refetch,
}: {
  data?: T | undefined;
  currentData?: T | undefined;
  error?: unknown;
  refetch: () => unknown;
}): Explained<T> {
  const retry = useCallback(() => {
    refetch();
  }, [refetch]);
  // An answer stays on screen while the next is made.
  return useMemo(
    () => ({
      data: error === undefined ? (currentData ?? data) : undefined,
      error: error === undefined ? null : shapeOf(error),
      retry,
    }),
    [data, currentData, error, retry],
  );
}
const shapeOf = (error: unknown): AppErrorShape =>
  typeof error === 'object' && error !== null && 'kind' in error
    ? (error as AppErrorShape)
    : toAppError(error).toShape();

export const useRunDiagnosis = (
  failId: string,
  passId: string | null,
): Explained<Output<'run.diagnose'>> =>
  useExplained(diagnosisApi.useRunDiagnosisQuery({ failId, passId }));
export const useStudyDiagnosis = (
  ask: Input<'study.diagnose'>,
  version: string,
): Explained<Output<'study.diagnose'>> =>
  useExplained(diagnosisApi.useStudyDiagnosisQuery({ ask, version }));
