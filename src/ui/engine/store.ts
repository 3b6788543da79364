import { notifications } from '@mantine/notifications';
import {
  configureStore,
  createSlice,
  isRejectedWithValue,
  type Middleware,
  type PayloadAction,
  type ThunkDispatch,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { useDispatch, useSelector, useStore } from 'react-redux';

import type { AppErrorShape } from '../../core/base/errors.ts';
import { isEnd } from '../../core/run/states.ts';
import type { LinkState } from '../../wire/contract.ts';
import { api, tagTypes } from './api.ts';
import type { Services } from './bridge.ts';
import { draftsOfJson, draftsToJson } from './draftJson.ts';
import { historySlice } from './historyState.ts';
import type { HostState } from './hostLink.ts';
import type { WorkspaceKind } from './workspace.ts';

interface Preferences {
  railCollapsed: boolean;
  /** Pages of single plans, testbeds, runs and studies, the last opened first. */
  recent: readonly string[];
}
/** As many as fit above the commands in the palette. */
const mostRecent = 6;
interface Link {
  state: LinkState;
  host: HostState;
}
/** What somebody has typed and not saved, by form. Secrets never come here. */
type Drafts = Record<string, unknown>;

const load = <T>(key: string, fallback: T, read: (json: string) => unknown = JSON.parse): T => {
  try {
    return { ...fallback, ...(read(localStorage.getItem(key) ?? '{}') as Partial<T>) };
  } catch {
    // A damaged preference is worth no message: the default serves.
    return fallback;
  }
};

const preferences = createSlice({
  name: 'preferences',
  initialState: () =>
    load<Preferences>('tilebench.preferences', { railCollapsed: false, recent: [] }),
  reducers: {
    railToggled: (state) => {
      state.railCollapsed = !state.railCollapsed;
    },
    opened: (state, { payload }: PayloadAction<string>) => {
      state.recent = [payload, ...state.recent.filter((path) => path !== payload)].slice(
        0,
        mostRecent,
      );
    },
  },
});
const drafts = createSlice({
  name: 'drafts',
  initialState: (): Drafts => ({}),
  reducers: {
    drafted: (state, { payload }: PayloadAction<{ form: string; values: unknown }>) => {
      state[payload.form] = payload.values;
    },
    draftDropped: (state, { payload }: PayloadAction<string>) => {
      Reflect.deleteProperty(state, payload);
    },
  },
});
const link = createSlice({
  name: 'link',
  initialState: (): Link => ({ state: 'open', host: { kind: 'there', notice: null } }),
  reducers: {
    hostChanged: (state, { payload }: PayloadAction<HostState>) => ({ ...state, host: payload }),
    linkChanged: (state, { payload }: PayloadAction<Link['state']>) => {
      state.state = payload;
    },
  },
});
export const { railToggled, opened } = preferences.actions;
export const { drafted, draftDropped } = drafts.actions;
export const { linkChanged, hostChanged } = link.actions;

const isShownByItsSender = (action: unknown): boolean =>
  api.endpoints.command.matchRejected(action) && action.meta.arg.originalArgs.refusal === 'here';

/**
 * One listener turns every refused action into a notice; reads show their error where they stand.
 */
const noticeErrors: Middleware = () => (next) => (action) => {
  if (isRejectedWithValue(action) && (action as { type: string }).type.includes('Mutation')) {
    const error = action.payload as AppErrorShape;
    if (error.kind !== 'aborted' && !isShownByItsSender(action))
      notifications.show({
        color: 'red',
        title: error.message,
        message: error.hint ?? '',
        autoClose: 12_000,
      });
  }
  return next(action);
};

/** What is typed in one workspace names testbeds and plans of that workspace only. */
const draftsKeyOf = (kind: WorkspaceKind): string =>
  kind === 'simulated' ? 'tilebench.drafts.simulated' : 'tilebench.drafts';

/**
 * Leaves a draft for the other workspace, which finds it when it is opened; false = there is no room
 * for it.
 */
export function leaveDraftIn(kind: WorkspaceKind, form: string, values: unknown): boolean {
  const key = draftsKeyOf(kind);
  try {
    localStorage.setItem(
      key,
      draftsToJson({ ...load<Drafts>(key, {}, draftsOfJson), [form]: values }),
    );
    return true;
  } catch {
    return false;
  }
}

export function createAppStore(services: Services) {
  const draftsKey = draftsKeyOf(services.workspace.kind);
  const store = configureStore({
    reducer: {
      [api.reducerPath]: api.reducer,
      preferences: preferences.reducer,
      drafts: drafts.reducer,
      link: link.reducer,
      history: historySlice.reducer,
    },
    middleware: (defaults) =>
      defaults({
        thunk: { extraArgument: services },
        serializableCheck: false,
        immutableCheck: false,
      }).concat(api.middleware, noticeErrors),
    preloadedState: { drafts: load<Drafts>(draftsKey, {}, draftsOfJson) },
  });
  let saved = { preferences: store.getState().preferences, drafts: store.getState().drafts };
  store.subscribe(() => {
    const { preferences: nextPreferences, drafts: nextDrafts } = store.getState();
    if (nextPreferences !== saved.preferences)
      localStorage.setItem('tilebench.preferences', JSON.stringify(nextPreferences));
    if (nextDrafts !== saved.drafts) localStorage.setItem(draftsKey, draftsToJson(nextDrafts));
    saved = { preferences: nextPreferences, drafts: nextDrafts };
  });
  wireEvents(services, store);
  return store;
}
export type AppStore = ReturnType<typeof createAppStore>;
export type AppState = ReturnType<AppStore['getState']>;
export const useAppSelector = useSelector.withTypes<AppState>();
/** The store itself, to read once without following it. */
export const useAppStore = useStore.withTypes<AppStore>();
export const useAppDispatch = useDispatch.withTypes<AppStore['dispatch']>();

/** What the engine says unasked, into the cache. */
function wireEvents(
  { client, desktop, host }: Services,
  store: { dispatch: AppDispatch; getState: () => CacheState },
): void {
  client.on('list.changed', ({ list }) => {
    store.dispatch(api.util.invalidateTags([list]));
  });
  client.on('history.changed', () => {
    store.dispatch(api.util.invalidateTags(['history', 'historyViews']));
  });
  client.on('run.changed', (overview) => {
    const { data } = api.endpoints.runOverview.select({ id: overview.id })(store.getState());
    if (!data || data.rev < overview.rev)
      void store.dispatch(api.util.upsertQueryData('runOverview', { id: overview.id }, overview));
    const span = overview.phases.at(-1);
    const first = overview.phases[0];
    desktop.setActiveRun(
      isEnd(overview.state)
        ? null
        : {
            name: overview.name,
            progress:
              span && first
                ? Math.min(
                    1,
                    Math.max(
                      0,
                      (overview.nowMs - first.startMs) /
                        Math.max(1, span.plannedEndMs - first.startMs),
                    ),
                  )
                : 0,
          },
    );
  });
  client.on('study.changed', (overview) => {
    const { data } = api.endpoints.studyOverview.select({ id: overview.spec.id })(store.getState());
    if (!data || data.rev < overview.rev)
      void store.dispatch(
        api.util.upsertQueryData('studyOverview', { id: overview.spec.id }, overview),
      );
    if (!data || data.state !== overview.state)
      store.dispatch(api.util.invalidateTags(['studies']));
  });
  client.on('provision.changed', (job) => {
    const { data } = api.endpoints.provisionStatus.select({ testbedId: job.testbedId })(
      store.getState(),
    );
    if (!data || data.id !== job.id || data.rev < job.rev)
      void store.dispatch(
        api.util.upsertQueryData('provisionStatus', { testbedId: job.testbedId }, job),
      );
  });
  client.on('guest.changed', (job) => {
    const { testbedId } = job;
    const { data } = api.endpoints.guestStatus.select({ testbedId })(store.getState());
    if (!data || data.id !== job.id || data.rev < job.rev)
      void store.dispatch(api.util.upsertQueryData('guestStatus', { testbedId }, job));
    // Which machines are prepared is known anew.
    if (job.endedAtMs !== null && data?.endedAtMs !== job.endedAtMs)
      store.dispatch(api.util.invalidateTags(['guests']));
  });
  client.on('lab.changed', (status) => {
    void store.dispatch(api.util.upsertQueryData('labStatus', {}, status));
  });
  client.on('update.changed', () => {
    store.dispatch(api.util.invalidateTags(['app']));
  });
  client.on('notice', ({ level, text }) => {
    notifications.show({
      color: level === 'error' ? 'red' : level === 'warn' ? 'yellow' : 'blue',
      message: text,
    });
  });
  host?.onChange((state) => {
    store.dispatch(hostChanged(state));
  });
  // What was read of an engine that went away is asked for again; of the first, it is just asked.
  let wasAway = false;
  client.onState((state) => {
    store.dispatch(linkChanged(state));
    if (state === 'open' && wasAway) store.dispatch(api.util.invalidateTags([...tagTypes]));
    wasAway = state !== 'open';
  });
}
interface CacheState {
  api: ReturnType<typeof api.reducer>;
}
type AppDispatch = ThunkDispatch<CacheState, Services, UnknownAction>;
