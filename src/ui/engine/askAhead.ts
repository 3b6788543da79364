import { api } from './api.ts';
import type { AppStore } from './store.ts';

/** Addresses of the first page, as they stand behind the `#`. */
const homeHashes = ['', '#', '#/'];

/**
 * Asks what the frame of every page asks for, and the first page where the address leads to it,
 * before it is drawn. Who is drawn later finds the answer, or the question on its way: a page that
 * is drawn before its answers is drawn again with each. Resolves once each is answered or refused.
 */
export async function askAhead(
  { dispatch }: Pick<AppStore, 'dispatch'>,
  hash: string,
): Promise<void> {
  const { appInfo, connectionList, planList, practiceLab, runList, studyList, testbedList } =
    api.endpoints;
  await Promise.all([
    dispatch(appInfo.initiate({}, { subscribe: false })),
    dispatch(connectionList.initiate({}, { subscribe: false })),
    dispatch(runList.initiate({}, { subscribe: false })),
    dispatch(planList.initiate({}, { subscribe: false })),
    dispatch(testbedList.initiate({}, { subscribe: false })),
    dispatch(studyList.initiate({}, { subscribe: false })),
    homeHashes.includes(hash) && dispatch(practiceLab.initiate({}, { subscribe: false })),
  ]);
}
