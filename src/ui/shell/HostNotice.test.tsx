import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';

import { bornAt } from '../../wire/engineLife.ts';
import { type EngineNotice, noticeForPage, noticeOf } from '../../wire/engineNotice.ts';
import type { HostState } from '../engine/hostLink.ts';
import { RunServicesContext } from '../engine/services.ts';
import { createAppStore } from '../engine/store.ts';
import { HostNotice } from './HostNotice.tsx';
import { theme } from './look/theme.ts';

let retried: number;
let tell: (state: HostState) => void;
beforeEach(() => {
  retried = 0;
  const listeners = new Set<(state: HostState) => void>();
  const none = () => () => undefined;
  const services = {
    client: { on: none, onState: none, onGap: none, follow: none, close: () => undefined },
    desktop: { setActiveRun: () => undefined },
    workspace: { kind: 'real' },
    host: {
      onChange(listener: (state: HostState) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      retry: () => {
        retried += 1;
      },
    },
  } as unknown as Parameters<typeof createAppStore>[0];
  render(
    <MantineProvider theme={theme} env="test">
      <Provider store={createAppStore(services)}>
        <RunServicesContext value={services}>
          <HostNotice />
        </RunServicesContext>
      </Provider>
    </MantineProvider>,
  );
  tell = (state) => act(() => listeners.forEach((listener) => listener(state)));
});
const hung = { ...bornAt(0), phase: 'unresponsive', readyMs: 0 } as const;
const there = (notice: EngineNotice | null): HostState => ({ kind: 'there', notice });

test('an engine that does not answer is told in the words of the desktop, with what happens next', async () => {
  expect(screen.queryByRole('alert')).toBeNull();
  tell(there(noticeForPage(hung)));
  const said = noticeOf(hung)!;
  expect(screen.getByRole('alert')).toHaveTextContent(said.message);
  expect(screen.getByRole('alert')).toHaveTextContent(said.detail);
  await userEvent.click(screen.getByRole('button', { name: 'Start it again' }));
  expect(retried).toBe(1);
  tell(there(null));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('who waits is not told again, until there is something else to tell', async () => {
  const notice = noticeForPage(hung);
  tell(there(notice));
  await userEvent.click(screen.getByRole('button', { name: 'Wait' }));
  expect(screen.queryByRole('alert')).toBeNull();
  tell(there(null));
  tell(there(noticeForPage(hung)));
  expect(screen.getByRole('alert')).toBeVisible();
});

test('a console that is gone, and one that does not know this browser, say how to come in again', () => {
  tell({ kind: 'away', last: null });
  expect(screen.getByRole('alert')).toHaveTextContent(/not running.*tilebench serve --port/);
  const failed = noticeForPage({
    ...bornAt(0),
    phase: 'failed',
    error: { kind: 'internal', message: 'The engine ended 9 times in a row.' },
  });
  tell({ kind: 'away', last: failed });
  expect(screen.getByRole('alert')).toHaveTextContent(
    /cannot start.*9 times in a row.*tilebench serve --port/,
  );
  tell({ kind: 'shut' });
  expect(screen.getByRole('alert')).toHaveTextContent(/no longer let in.*console\.html/);
  expect(screen.queryByRole('button')).toBeNull();
});
