import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { act, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';

import type { Emit, LinkState } from '../../wire/contract.ts';
import type { BinaryFile } from '../../wire/desktop.ts';
import { RunServicesContext } from '../engine/services.ts';
import { createAppStore } from '../engine/store.ts';
import type { WorkspaceKind } from '../engine/workspace.ts';
import { historyAnswers } from '../pages/history/testing/historyAnswers.ts';
import { theme } from '../shell/look/theme.ts';
import * as pages from '../shell/pages.ts';
import { pagesFrom, routes } from '../shell/routes.tsx';
import { type Answers, type Calls, startFakeEngine } from './fakeEngine.ts';

export type { Answers };

export interface Console {
  user: UserEvent;
  calls: Calls;
  emit: Emit;
  /** States one after the other, before the page draws again. */
  link: (...states: LinkState[]) => void;
  path: () => string;
  /** Workspaces that were asked for, as `kind route`. */
  opened: string[];
}

type ChosenFile = { name: string; text: string } | null;

const binaryFile = ({ name, text }: NonNullable<ChosenFile>): BinaryFile => {
  const bytes = new TextEncoder().encode(text);
  return {
    name,
    size: bytes.length,
    read: async (from, to) => bytes.slice(from, to),
    close: () => undefined,
  };
};

/** What an engine with nothing in it answers. */
const emptyEngine = (workspace: WorkspaceKind): Answers => ({
  'app.info': () => ({
    version: '0.1.0',
    host: 'test',
    secrets: 'session',
    dataDir: '/data',
    node: 'v24',
    workspace,
    nowMs: 0,
    disk: { state: 'ok', freeBytes: 2 ** 40 },
  }),
  'connection.list': () => [],
  'connection.facts': () => ({}),
  'testbed.list': () => [],
  'plan.list': () => [],
  'plan.practiceLab': () => ({ lab: null, styleTile: null }),
  'run.list': () => [],
  'run.ofPlan': () => [],
  'profile.list': () => [],
  'driver.list': () => [],
  'inventory.get': () => null,
  'plan.report': () => null,
  'study.list': () => [],
  'story.list': () => [],
  'gallery.list': () => [],
  'customerLab.list': () => [],
  ...historyAnswers([]),
  'study.diagnose': () => ({
    curves: [],
    curve: null,
    beforeKey: null,
    afterKey: null,
    why: 'Two measured points of a curve are needed.',
    diagnosis: null,
  }),
});

/** The screens' services over an engine that answers as told; the link can be told to change. */
function fakeServices(answers: Answers, file: ChosenFile, workspace: WorkspaceKind) {
  const engine = startFakeEngine({ ...emptyEngine(workspace), ...answers });
  const opened: string[] = [];
  const services = {
    client: engine.client,
    desktop: {
      kind: 'browser' as const,
      saveFile: async (name: string) => name,
      openFile: async () => file,
      openBinary: async () => (file === null ? null : binaryFile(file)),
      onOpenFile: () => () => undefined,
      onCommand: () => () => undefined,
      detach: async (route: string) => {
        opened.push(`window ${route}`);
        return 'opened' as const;
      },
      setActiveRun: () => undefined,
    },
    workspace: {
      kind: workspace,
      open: (kind: WorkspaceKind, route: string) => {
        opened.push(`${kind} ${route}`);
      },
    },
  };
  return { ...engine, services, opened };
}

const inside = (services: Parameters<typeof createAppStore>[0], page: ReactNode): ReactNode => (
  <MantineProvider theme={theme} env="test">
    <Provider store={createAppStore(services)}>
      <RunServicesContext value={services}>
        <Notifications />
        {page}
      </RunServicesContext>
    </Provider>
  </MantineProvider>
);

/** A part of a screen over the same engine. */
export function renderPart(part: ReactNode, answers: Answers): Pick<Console, 'user' | 'calls'> {
  const { services, calls } = fakeServices(answers, null, 'real');
  render(inside(services, part));
  return { user: userEvent.setup(), calls };
}

/**
 * The whole console at an address, over an engine that answers as told; a method without an answer
 * fails.
 */
export function renderRoute(
  address: string,
  answers: Answers,
  file: ChosenFile = null,
  workspace: WorkspaceKind = 'real',
): Console {
  const { services, calls, emit, link, opened } = fakeServices(answers, file, workspace);
  const router = createMemoryRouter(routes(pagesFrom(pages)), { initialEntries: [address] });
  render(inside(services, <RouterProvider router={router} useTransitions={false} />));
  return {
    user: userEvent.setup(),
    calls,
    opened,
    path: () => router.state.location.pathname,
    emit: (event, payload) => {
      act(() => emit(event, payload));
    },
    link: (...states) => {
      act(() => {
        for (const state of states) link(state);
      });
    },
  };
}
