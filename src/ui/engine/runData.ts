import { skipToken } from '@reduxjs/toolkit/query/react';
import { useCallback, useMemo } from 'react';

import { type AppErrorShape, toAppError } from '../../core/base/errors.ts';
import type { Comparison, Distributions } from '../../core/compare/index.ts';
import type { RunOverview, RunRecord, RunSummary } from '../../core/run/run.ts';
import type { Input, MethodName, Output } from '../../wire/contract.ts';
import { api, useRunListQuery, useRunOverviewQuery } from './api.ts';
import { useAppSelector } from './store.ts';

/** `version` tells one answer from the next: a run that ended has another record. */
interface Versioned {
  id: string;
  version: string;
}
const call = <M extends MethodName>(method: M, input: unknown): { method: M; input: unknown } => ({
  method,
  input,
});

/** What only the screens of runs ask for. */
const runApi = api.injectEndpoints({
  endpoints: (build) => ({
    runRecord: build.query<Output<'run.record'>, Versioned>({
      query: ({ id }) => call('run.record', { id }),
    }),
    runsOfPlan: build.query<Output<'run.ofPlan'>, Versioned>({
      query: ({ id }) => call('run.ofPlan', { id }),
      providesTags: ['runs'],
    }),
    runLog: build.query<Output<'run.log'>, Versioned>({
      query: ({ id }) => call('run.log', { id }),
    }),
    runCompare: build.query<Output<'run.compare'>, Input<'run.compare'>>({
      query: (input) => call('run.compare', input),
    }),
    runDistributions: build.query<
      Output<'run.distributions'>,
      { baselineId: string; ids: string[]; key?: string }
    >({ query: (input) => call('run.distributions', input) }),
    runRecords: build.query<RunRecord[], readonly string[]>({
      queryFn: async (ids, _api, _options, base) => {
        const records: RunRecord[] = [];
        for (const id of ids) {
          const answer = await base(call('run.record', { id }));
          if (answer.error !== undefined) return { error: answer.error };
          records.push(answer.data as RunRecord);
        }
        return { data: records };
      },
    }),
    runRemove: build.mutation<Output<'run.remove'>, { id: string }>({
      query: (input) => call('run.remove', input),
      invalidatesTags: ['runs'],
    }),
    runAbort: build.mutation<Output<'run.abort'>, { id: string; hard: boolean }>({
      query: (input) => call('run.abort', input),
    }),
  }),
});

/** What a screen knows of something it asked for. `data` stays while it is asked for again. */
export interface Asked<T> {
  data: T | undefined;
  error: AppErrorShape | null;
  loading: boolean;
  retry: () => void;
}
interface QueryState<T> {
  currentData?: T | undefined;
  error?: unknown;
  refetch: () => unknown;
  isUninitialized: boolean;
}

function useAsked<T>({ currentData, error, refetch, isUninitialized }: QueryState<T>): Asked<T> {
  const retry = useCallback(() => {
    if (!isUninitialized) refetch();
  }, [refetch, isUninitialized]);
  return useMemo(
    () => ({
      data: currentData,
      error: error === undefined ? null : shapeOf(error),
      loading: currentData === undefined && error === undefined,
      retry,
    }),
    [currentData, error, retry],
  );
}
const shapeOf = (error: unknown): AppErrorShape =>
  typeof error === 'object' && error !== null && 'kind' in error
    ? (error as AppErrorShape)
    : toAppError(error).toShape();

/** Every run; asked again whenever the engine says that the list changed. */
export const useRunList = (): Asked<RunSummary[]> => useAsked(useRunListQuery({}));

/** Whether the engine can be reached. */
export const useConnected = (): boolean => useAppSelector((state) => state.link.state) === 'open';

/** One run as of its newest `rev`. */
export const useRunOverview = (id: string): Asked<RunOverview> =>
  useAsked(useRunOverviewQuery({ id }));

/** `skip`: nothing is asked. */
export const useRunRecord = (id: string, version = '', skip = false): Asked<RunRecord> =>
  useAsked(runApi.useRunRecordQuery(skip ? skipToken : { id, version }));
/** Records of several runs, in the order asked. */
export const useRunRecords = (ids: readonly string[]): Asked<RunRecord[]> =>
  useAsked(runApi.useRunRecordsQuery(ids));
/** The last runs of the plan of a run, oldest first, it being the last. */
export const useRunsOfPlan = (id: string): Asked<RunSummary[]> =>
  useAsked(runApi.useRunsOfPlanQuery({ id, version: '' }));
export const useRunLog = (id: string, version: string): Asked<{ name: string; text: string }[]> =>
  useAsked(runApi.useRunLogQuery({ id, version }));
/**
 * The comparison of runs against a baseline; nothing is asked while fewer than two are chosen. While
 * the next one is made the one before stays: another baseline closes nothing that was opened.
 */
export function useComparison(
  baselineId: string | null,
  ids: readonly string[],
  referenceId?: string,
): Asked<Comparison> {
  const asked = runApi.useRunCompareQuery(
    baselineId === null || ids.length === 0
      ? skipToken
      : { baselineId, ids: [...ids], ...(referenceId === undefined ? {} : { referenceId }) },
  );
  const kept = asked.error === undefined ? asked.data : undefined;
  return useAsked({ ...asked, currentData: asked.currentData ?? kept });
}

/** How the samples of one metric lie; absent key: the first metric there is. */
export const useDistributions = (
  baselineId: string,
  ids: readonly string[],
  key: string | undefined,
): Asked<Distributions> =>
  useAsked(
    runApi.useRunDistributionsQuery({
      baselineId,
      ids: [...ids],
      ...(key === undefined ? {} : { key }),
    }),
  );

/** Aborts a run; a refusal is shown as a notice, and rejects. */
export function useAbortRun(): (id: string, hard: boolean) => Promise<void> {
  const [abort] = runApi.useRunAbortMutation();
  return useCallback(
    async (id, hard) => {
      await abort({ id, hard }).unwrap();
    },
    [abort],
  );
}
