import { api } from './api.ts';
import type { AppStore } from './store.ts';

/**
 * Asks what the frame of every page asks for, before it is drawn. Who is drawn later finds the
 * answer, or the question on its way. Resolves once each is answered or refused.
 */
export async function askAhead({ dispatch }: Pick<AppStore, 'dispatch'>): Promise<void> {
  const { appInfo, connectionList, planList, runList, studyList, testbedList } = api.endpoints;
  await Promise.all([
    dispatch(appInfo.initiate({}, { subscribe: false })),
    dispatch(connectionList.initiate({}, { subscribe: false })),
    dispatch(runList.initiate({}, { subscribe: false })),
    dispatch(planList.initiate({}, { subscribe: false })),
    dispatch(testbedList.initiate({}, { subscribe: false })),
    dispatch(studyList.initiate({}, { subscribe: false })),
  ]);
}
