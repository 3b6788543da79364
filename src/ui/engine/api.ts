import { type BaseQueryFn, createApi } from '@reduxjs/toolkit/query/react';

import { type AppErrorShape, toAppError } from '../../core/base/errors.ts';
import type { CommandName, Input, MethodName, Output, ReadName } from '../../wire/contract.ts';
import type { Services } from './bridge.ts';

interface Call {
  method: MethodName;
  input: unknown;
}
/** A command by its name, as `useSendCommand` sends it. */
interface Command extends Call {
  method: CommandName;
  /** Where it is seen when it is refused: `here` is where the sender stands. */
  refusal: 'notice' | 'here';
}

/** RTK Query over the channel: the store's extra argument holds the client. */
const engine: BaseQueryFn<Call, unknown, AppErrorShape> = async (
  { method, input },
  { signal, extra },
) => {
  try {
    return {
      data: await (extra as Services).client.call(method, input as Input<MethodName>, signal),
    };
  } catch (thrown) {
    return { error: toAppError(thrown).toShape() };
  }
};

const ask =
  <M extends MethodName>(method: M) =>
  (input: Input<M>): Call => ({ method, input });

/** Parts of the engine's truth; all of them are asked for again when the engine is back. */
export const tagTypes = [
  'app',
  'connections',
  'testbeds',
  'plans',
  'runs',
  'run',
  'inventory',
  'profiles',
  'studies',
  'study',
  'lab',
  'provision',
  'guests',
  'guestBundles',
  'history',
  'historyViews',
  'stories',
] as const;
type Tag = (typeof tagTypes)[number];

/** Engine truth in the cache. A method is one line here; samples never pass through it. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: engine,
  tagTypes,
  keepUnusedDataFor: 300,
  // Invalidation stays delayed, the default: told at once, a change that comes while its list is on
  // the way would be lost.
  endpoints: (build) => {
    const query = <M extends ReadName>(method: M, ...tags: Tag[]) =>
      build.query<Output<M>, Input<M>>({ query: ask(method), providesTags: tags });
    const mutation = <M extends MethodName>(method: M) =>
      build.mutation<Output<M>, Input<M>>({ query: ask(method) });
    return {
      command: build.mutation<unknown, Command>({
        query: ({ method, input }) => ({ method, input }),
      }),
      appInfo: query('app.info', 'app'),
      connectionList: query('connection.list', 'connections'),
      connectionFacts: query('connection.facts', 'connections'),
      connectionSave: mutation('connection.save'),
      connectionRemove: mutation('connection.remove'),
      connectionTest: mutation('connection.test'),
      inventoryGet: query('inventory.get', 'inventory'),
      inventoryDiscover: mutation('inventory.discover'),
      profileList: query('profile.list', 'profiles'),
      driverList: query('driver.list'),
      testbedList: query('testbed.list', 'testbeds'),
      testbedSave: mutation('testbed.save'),
      testbedRemove: mutation('testbed.remove'),
      testbedVersions: query('testbed.versions', 'testbeds'),
      testbedVersion: query('testbed.version'),
      testbedRestore: mutation('testbed.restore'),
      testbedDuplicate: mutation('testbed.duplicate'),
      testbedExport: mutation('testbed.export'),
      testbedImport: mutation('testbed.import'),
      provisionPlan: query('provision.plan', 'testbeds'),
      provisionStatus: query('provision.status', 'provision'),
      provisionStart: mutation('provision.start'),
      provisionCancel: mutation('provision.cancel'),
      provisionRetry: mutation('provision.retry'),
      provisionCleanUp: mutation('provision.cleanUp'),
      guestPlan: query('guest.plan', 'testbeds', 'connections', 'inventory', 'guests'),
      guestStatus: query('guest.status', 'guests'),
      guestBundles: query('guest.bundles', 'guestBundles'),
      guestTakeBundle: mutation('guest.takeBundle'),
      guestDropBundle: mutation('guest.dropBundle'),
      guestStart: mutation('guest.start'),
      guestCancel: mutation('guest.cancel'),
      guestRetry: mutation('guest.retry'),
      planList: query('plan.list', 'plans'),
      planSave: mutation('plan.save'),
      planRemove: mutation('plan.remove'),
      planPreviewImport: mutation('plan.previewImport'),
      planImport: mutation('plan.import'),
      practiceLab: query('plan.practiceLab'),
      planWaive: mutation('plan.waive'),
      planSmoke: mutation('plan.smoke'),
      runStart: mutation('run.start'),
      runList: query('run.list', 'runs'),
      runOverview: query('run.overview', 'run'),
      studyList: query('study.list', 'studies'),
      studySave: mutation('study.save'),
      studyRemove: mutation('study.remove'),
      studyOverview: query('study.overview', 'study'),
      studyCompare: query('study.compare', 'study'),
      studyStart: mutation('study.start'),
      studyPause: mutation('study.pause'),
      studyRerun: mutation('study.rerun'),
      studyLab: query('study.lab', 'studies'),
      studyWhatIf: mutation('study.whatIf'),
      galleryList: query('gallery.list', 'studies'),
      galleryInstall: mutation('gallery.install'),
      customerLabParts: query('customerLab.parts'),
      customerLabMake: mutation('customerLab.make'),
      customerLabList: query('customerLab.list', 'studies', 'testbeds', 'plans', 'runs'),
      customerLabRemove: mutation('customerLab.remove'),
      storyList: query('story.list', 'stories'),
      updateState: query('update.state', 'app'),
      labStatus: query('lab.status', 'lab'),
      labPace: mutation('lab.pace'),
      labFault: mutation('lab.fault'),
      labClearFault: mutation('lab.clearFault'),
    };
  },
});
export const {
  useAppInfoQuery,
  useStoryListQuery,
  useUpdateStateQuery,
  useConnectionListQuery,
  useConnectionFactsQuery,
  useConnectionSaveMutation,
  useConnectionRemoveMutation,
  useConnectionTestMutation,
  useInventoryGetQuery,
  useInventoryDiscoverMutation,
  useProfileListQuery,
  useDriverListQuery,
  useTestbedListQuery,
  useTestbedSaveMutation,
  useTestbedRemoveMutation,
  usePlanListQuery,
  usePlanSaveMutation,
  usePlanRemoveMutation,
  usePlanPreviewImportMutation,
  usePlanImportMutation,
  usePracticeLabQuery,
  usePlanWaiveMutation,
  usePlanSmokeMutation,
  useTestbedVersionsQuery,
  useTestbedVersionQuery,
  useTestbedRestoreMutation,
  useTestbedDuplicateMutation,
  useTestbedExportMutation,
  useTestbedImportMutation,
  useProvisionPlanQuery,
  useProvisionStatusQuery,
  useProvisionStartMutation,
  useProvisionCancelMutation,
  useProvisionRetryMutation,
  useProvisionCleanUpMutation,
  useGuestPlanQuery,
  useGuestStatusQuery,
  useGuestBundlesQuery,
  useGuestTakeBundleMutation,
  useGuestDropBundleMutation,
  useGuestStartMutation,
  useGuestCancelMutation,
  useGuestRetryMutation,
  useRunStartMutation,
  useRunListQuery,
  useRunOverviewQuery,
  useStudyListQuery,
  useStudySaveMutation,
  useStudyRemoveMutation,
  useStudyOverviewQuery,
  useStudyCompareQuery,
  useStudyStartMutation,
  useStudyPauseMutation,
  useStudyLabQuery,
  useStudyRerunMutation,
  useStudyWhatIfMutation,
  useGalleryListQuery,
  useGalleryInstallMutation,
  useCustomerLabPartsQuery,
  useCustomerLabMakeMutation,
  useCustomerLabListQuery,
  useCustomerLabRemoveMutation,
  useLabStatusQuery,
  useLabPaceMutation,
  useLabFaultMutation,
  useLabClearFaultMutation,
} = api;
