import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Comparison } from '../../shared/contract.ts';
import { toAppError, type AppErrorShape } from '../../shared/errors.ts';
import type { RunOverview, RunRecord, RunSummary } from '../../shared/run.ts';
import { useClient } from './services.ts';

/** What a screen knows of something it asked for. `data` stays while it is asked for again. */
export interface Asked<T> { data: T | undefined; error: AppErrorShape | null; loading: boolean; retry: () => void }

/** Asks once a `key`, and again whenever `retry` is called. An answer to an older key is dropped. */
function useAsked<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Asked<T> {
  const [state, setState] = useState<{ key: string; data: T | undefined; error: AppErrorShape | null; busy: boolean }>({ key, data: undefined, error: null, busy: true });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    ask(abort.signal).then(
      (data) => { if (!abort.signal.aborted) setState({ key, data, error: null, busy: false }); },
      (thrown: unknown) => { if (!abort.signal.aborted) setState((now) => ({ key, data: now.key === key ? now.data : undefined, error: toAppError(thrown).toShape(), busy: false })); },
    );
    return () => abort.abort();
    // `ask` is a new function each render; `key` names what it asks for.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, attempt]);
  const retry = useCallback(() => { setAttempt((n) => n + 1); }, []);
  return useMemo(() => {
    const current = state.key === key ? state : null;
    return { data: current?.data, error: current?.error ?? null, loading: current === null || (current.data === undefined && current.error === null), retry };
  }, [state, key, retry]);
}

/** Every run, newest data whenever the engine says that the list changed. */
export function useRunList(): Asked<RunSummary[]> {
  const client = useClient();
  const asked = useAsked('run.list', (signal) => client.call('run.list', {}, signal));
  const { retry } = asked;
  useEffect(() => client.on('list.changed', ({ list }) => { if (list === 'runs') retry(); }), [client, retry]);
  return asked;
}

/** Whether the engine can be reached. */
export function useConnected(): boolean {
  const client = useClient();
  const [connected, setConnected] = useState(true);
  useEffect(() => client.onState((state) => setConnected(state === 'open')), [client]);
  return connected;
}

/** One run as of its newest `rev`: registers for news first, asks after, so nothing falls between. */
export function useRunOverview(id: string): Asked<RunOverview> {
  const client = useClient();
  const newest = useMemo(() => newestOf(id), [id]);
  useEffect(() => client.on('run.changed', newest.take), [client, newest]);
  const asked = useAsked(`run.overview ${id}`, async (signal) => { newest.take(await client.call('run.overview', { id }, signal)); return null; });
  const { retry } = asked;
  useEffect(() => client.onState((state) => { if (state === 'open') retry(); }), [client, retry]);
  const data = useSyncExternalStore(newest.subscribe, newest.get);
  return useMemo(() => ({ ...asked, data, loading: asked.loading && data === undefined }), [asked, data]);
}

/** Keeps the snapshot with the highest `rev`. */
function newestOf(id: string): { take: (overview: RunOverview) => void; get: () => RunOverview | undefined; subscribe: (listener: () => void) => () => void } {
  let current: RunOverview | undefined;
  const listeners = new Set<() => void>();
  return {
    take: (overview) => {
      if (overview.id !== id || (current !== undefined && overview.rev <= current.rev)) return;
      current = overview;
      for (const listener of listeners) listener();
    },
    get: () => current,
    subscribe: (listener) => { listeners.add(listener); return () => { listeners.delete(listener); }; },
  };
}

/** The record of a run; asked again when `version` changes (a run that ended has another one). */
export function useRunRecord(id: string, version = ''): Asked<RunRecord> {
  const client = useClient();
  return useAsked(`run.record ${id} ${version}`, (signal) => client.call('run.record', { id }, signal));
}

/** Records of several runs, in the order asked. */
export function useRunRecords(ids: readonly string[]): Asked<RunRecord[]> {
  const client = useClient();
  return useAsked(`run.records ${ids.join(' ')}`, (signal) => Promise.all(ids.map((id) => client.call('run.record', { id }, signal))));
}

export function useRunLog(id: string, version: string): Asked<{ name: string; text: string }[]> {
  const client = useClient();
  return useAsked(`run.log ${id} ${version}`, (signal) => client.call('run.log', { id }, signal));
}

/** The comparison of runs against a baseline; null while fewer than two are chosen. */
export function useComparison(baselineId: string | null, ids: readonly string[]): Asked<Comparison | null> {
  const client = useClient();
  return useAsked(`run.compare ${baselineId ?? ''} ${ids.join(' ')}`, (signal) => (baselineId === null || ids.length === 0 ? Promise.resolve(null) : client.call('run.compare', { baselineId, ids: [...ids] }, signal)));
}
