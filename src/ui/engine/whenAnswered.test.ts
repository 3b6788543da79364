import { QueryStatus } from '@reduxjs/toolkit/query';

import { api } from './api.ts';
import type { AppStore } from './store.ts';
import { whenAnswered } from './whenAnswered.ts';

test('what was asked first is answered before anything else is loaded', async () => {
  let statuses: QueryStatus[] = [];
  const listeners = new Set<() => void>();
  const store = {
    getState: () => ({
      [api.reducerPath]: {
        queries: Object.fromEntries(statuses.map((status, i) => [i, { status }])),
      },
    }),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as AppStore;
  const answered = jest.fn();
  const waiting = whenAnswered(store).then(answered);
  const tell = async (...next: QueryStatus[]): Promise<void> => {
    statuses = next;
    for (const listener of [...listeners]) listener();
    await Promise.resolve();
    await Promise.resolve();
  };
  await tell();
  await tell(QueryStatus.pending, QueryStatus.fulfilled);
  expect(answered).not.toHaveBeenCalled();
  await tell(QueryStatus.rejected, QueryStatus.fulfilled);
  await waiting;
  expect(listeners.size).toBe(0);
});
