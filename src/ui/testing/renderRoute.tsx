import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { act, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';

import { fail } from '../../core/base/errors.ts';
import type {
  Client,
  EventName,
  EventPayload,
  Input,
  LinkState,
  MethodName,
  Output,
} from '../../wire/contract.ts';
import { checkEvent, checkOutput, parseInput } from '../../wire/serve.ts';
import { RunServicesContext } from '../engine/services.ts';
import { createAppStore } from '../engine/store.ts';
import type { WorkspaceKind } from '../engine/workspace.ts';
import { historyAnswers } from '../pages/history/testing/historyAnswers.ts';
import * as pages from '../shell/pages.ts';
import { pagesFrom, routes } from '../shell/routes.tsx';
import { theme } from '../shell/theme.ts';

export type Answers = { [M in MethodName]?: (input: Input<M>) => Output<M> | Promise<Output<M>> };
export interface Console {
  user: UserEvent;
  calls: { method: MethodName; input: unknown }[];
  emit: <E extends EventName>(event: E, payload: EventPayload<E>) => void;
  /** States one after the other, before the page draws again. */
  link: (...states: LinkState[]) => void;
  path: () => string;
  /** Workspaces that were asked for, as `kind route`. */
  opened: string[];
}

type ChosenFile = { name: string; text: string } | null;

/** An engine that answers as told, within the contract; a method without an answer fails. */
function fakeServices(answers: Answers, file: ChosenFile, workspace: WorkspaceKind) {
  const calls: Console['calls'] = [];
  const opened: string[] = [];
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  const links = new Set<(state: LinkState) => void>();
  const defaults: Answers = {
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
    'testbed.list': () => [],
    'plan.list': () => [],
    'run.list': () => [],
    'profile.list': () => [],
    'driver.list': () => [],
    'inventory.get': () => null,
    'plan.report': () => null,
    'study.list': () => [],
    'gallery.list': () => [],
    ...historyAnswers([]),
    'study.diagnose': () => ({
      curves: [],
      curve: null,
      beforeKey: null,
      afterKey: null,
      why: 'Two measured points of a curve are needed.',
      diagnosis: null,
    }),
  };
  const client: Client = {
    async call<M extends MethodName>(
      method: M,
      input: Input<M>,
      signal?: AbortSignal,
    ): Promise<Output<M>> {
      parseInput(method, input);
      calls.push({ method, input });
      const answer = answers[method] ?? defaults[method];
      if (!answer) throw fail('internal', `The test gives no answer to ${method}.`);
      const cancelled = new Promise<never>((_resolve, reject) =>
        signal?.addEventListener(
          'abort',
          () => reject(fail('aborted', 'The call was cancelled.')),
          { once: true },
        ),
      );
      // An answer that throws leaves nobody to hear of a late cancel.
      cancelled.catch(() => undefined);
      const output = await Promise.race([answer(input), cancelled]);
      checkOutput(method, output);
      return output;
    },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
      return () => {
        set.delete(listener);
      };
    },
    follow: () => () => undefined,
    onGap: () => () => undefined,
    onState: (listener) => {
      links.add(listener);
      return () => {
        links.delete(listener);
      };
    },
    close: () => undefined,
  };
  const services = {
    client,
    desktop: {
      kind: 'browser' as const,
      saveFile: async (name: string) => name,
      openFile: async () => file,
      openBinary: async () => null,
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
  return { services, calls, opened, listeners, links };
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
  const { services, calls, opened, listeners, links } = fakeServices(answers, file, workspace);
  const router = createMemoryRouter(routes(pagesFrom(pages)), { initialEntries: [address] });
  render(inside(services, <RouterProvider router={router} useTransitions={false} />));
  return {
    user: userEvent.setup(),
    calls,
    opened,
    path: () => router.state.location.pathname,
    emit: (event, payload) => {
      checkEvent(event, payload);
      act(() => {
        for (const listener of listeners.get(event) ?? [])
          (listener as (payload: unknown) => void)(payload);
      });
    },
    link: (...states) => {
      act(() => {
        for (const state of states) for (const listener of links) listener(state);
      });
    },
  };
}
