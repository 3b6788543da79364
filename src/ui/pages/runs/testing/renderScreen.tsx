import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { useEffect } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';

import { fail } from '../../../../core/base/errors.ts';
import type { RunOverview, RunSummary } from '../../../../core/run/run.ts';
import type { Emit, LinkState } from '../../../../wire/contract.ts';
import type { DesktopApi } from '../../../../wire/desktop.ts';
import { RunServicesContext } from '../../../engine/services.ts';
import { createAppStore } from '../../../engine/store.ts';
import { type Answers, type Calls, startFakeEngine } from '../../../testing/fakeEngine.ts';
import { ComparePage } from '../../compare/ComparePage.tsx';
import { HistoryPage } from '../../history/HistoryPage.tsx';
import { historyAnswers } from '../../history/testing/historyAnswers.ts';
import { forgetUndo } from '../../history/undo.ts';
import { ReplayPage } from '../../replay/ReplayPage.tsx';
import { RunPage } from '../RunPage.tsx';
import { demoComparison, demoDistributions } from './comparison.ts';
import { type DemoRun, samplesOf } from './records.ts';

export type { Answers };
export interface Screen {
  user: UserEvent;
  /** What was asked of the engine, in order. */
  calls: Calls;
  emit: Emit;
  link: (state: LinkState) => void;
  /** What was written by saveFile. */
  saved: { name: string; text: string }[];
  path: () => string;
  command: (id: string) => void;
}

/**
 * The run screens at an address, over an engine that knows `runs`; `answers` replace or refuse
 * single methods.
 */
export function renderScreen(
  address: string,
  runs: readonly DemoRun[],
  {
    answers = {},
    list = runs.map((r) => r.summary),
  }: { answers?: Answers; list?: readonly RunSummary[] } = {},
): Screen {
  // Notices and ways back outlive a screen: no test begins with another's.
  forgetUndo();
  notifications.clean();
  const saved: Screen['saved'] = [];
  const commands = new Set<(id: string) => void>();
  const of = (id: string): DemoRun => {
    const found = runs.find((r) => r.summary.id === id);
    if (found === undefined)
      throw fail('notFound', `The run ${id} does not exist.`, 'Refresh the history.');
    return found;
  };
  const defaults: Answers = {
    'run.list': () => [...list],
    'run.ofPlan': ({ id }) => [of(id).summary],
    'run.overview': ({ id }): RunOverview => of(id).record.overview,
    'run.record': ({ id }) => of(id).record,
    'run.samples': ({ runId, seriesIds }) => samplesOf(of(runId), seriesIds),
    'run.compare': ({ baselineId, ids }) =>
      demoComparison(baselineId, [baselineId, ...ids].map(of)),
    'run.distributions': ({ baselineId, ids, key }) =>
      demoDistributions([baselineId, ...ids].map(of), key),
    'run.log': () => [
      { name: 'engine', text: 'Ramp-up started\nTile 1 started\nSteady state started' },
      { name: 'Tile 1 Database', text: '[ 1s ] tps: 812.40' },
    ],
    'run.annotate': ({ text, tMs }) => ({ id: 99, tMs: tMs ?? 0, kind: 'note', text }),
    'run.abort': () => ({}),
    'run.remove': () => ({}),
    'study.list': () => [],
    ...historyAnswers(list),
  };
  const engine = startFakeEngine({ ...defaults, ...answers });
  const desktop: DesktopApi = {
    kind: 'browser',
    openFile: async () => null,
    openBinary: async () => null,
    onOpenFile: () => () => undefined,
    detach: async () => 'opened',
    setActiveRun: () => undefined,
    onCommand: (listener) => {
      commands.add(listener);
      return () => {
        commands.delete(listener);
      };
    },
    saveFile: async (name, chunks) => {
      let text = '';
      for await (const chunk of chunks)
        text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
      saved.push({ name, text });
      return name;
    },
  };
  let path = '';
  const Address = (): null => {
    const { pathname, search } = useLocation();
    useEffect(() => {
      path = `${pathname}${search}`;
    }, [pathname, search]);
    return null;
  };
  const services = {
    client: engine.client,
    desktop,
    workspace: { kind: 'real' as const, open: () => undefined },
  };
  render(
    <MantineProvider env="test">
      <Notifications />
      <Provider store={createAppStore(services)}>
        <RunServicesContext value={services}>
          <MemoryRouter initialEntries={[address]}>
            <Address />
            <Routes>
              <Route path="/runs" element={<HistoryPage />} />
              <Route path="/runs/:id" element={<RunPage />} />
              <Route path="/runs/:id/replay" element={<ReplayPage />} />
              <Route path="/compare" element={<ComparePage />} />
              <Route path="*" element={null} />
            </Routes>
          </MemoryRouter>
        </RunServicesContext>
      </Provider>
    </MantineProvider>,
  );
  return {
    user: userEvent.setup(),
    calls: engine.calls,
    saved,
    emit: engine.emit,
    link: engine.link,
    path: () => path,
    command: (id) => {
      for (const listener of [...commands]) listener(id);
    },
  };
}
