import { api } from './api.ts';
import type { AppStore } from './store.ts';

/**
 * Asks what the frame of every page asks for, before it is drawn: the engine answers while the
 * window draws. Who is drawn later finds the answer, or the question on its way.
 */
export function askAhead({ dispatch }: Pick<AppStore, 'dispatch'>): void {
  const { appInfo, connectionList, planList, runList, studyList, testbedList } = api.endpoints;
  void dispatch(appInfo.initiate({}, { subscribe: false }));
  void dispatch(connectionList.initiate({}, { subscribe: false }));
  void dispatch(runList.initiate({}, { subscribe: false }));
  void dispatch(planList.initiate({}, { subscribe: false }));
  void dispatch(testbedList.initiate({}, { subscribe: false }));
  void dispatch(studyList.initiate({}, { subscribe: false }));
}
