import { QueryStatus } from '@reduxjs/toolkit/query';

import { api } from './api.ts';
import type { AppStore } from './store.ts';

/** Resolves once something was asked of the engine and all that was asked is answered. */
export function whenAnswered(store: Pick<AppStore, 'getState' | 'subscribe'>): Promise<void> {
  const isAnswered = (): boolean => {
    const asked = Object.values(store.getState()[api.reducerPath].queries);
    return asked.length > 0 && asked.every((one) => one?.status !== QueryStatus.pending);
  };
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      if (!isAnswered()) return;
      stop();
      resolve();
    });
  });
}
