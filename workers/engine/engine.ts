import type { Emit, Handlers, Output } from '../../src/wire/contract.ts';
import { createBundleService } from './bundle/service.ts';
import { compareMethods, createCompareService } from './compare/service.ts';
import { studyCompareMethods } from './compare/studies.ts';
import { createPeers } from './connections/peers.ts';
import { createSecretGate } from './connections/secretGate.ts';
import { connectionMethods } from './connections/service.ts';
import { measuredUpdateMs } from './connections/worked.ts';
import { customerLabMethods } from './customerLab/methods.ts';
import { openDatabase } from './db/open.ts';
import { sayStoreFaults } from './db/sayStoreFaults.ts';
import type { Database } from './db/types.ts';
import type { Deps } from './deps.ts';
import { diagnosisMethods } from './diagnosis/service.ts';
import { galleryMethods, loadInstalledLabs } from './gallery/install.ts';
import { createShelf } from './gallery/shelf.ts';
import type { GalleryEntry } from './gallery/types.ts';
import { createGuestService } from './guests/service.ts';
import { createHistoryService } from './history/service.ts';
import { storyMethods } from './history/stories.ts';
import { createImportService } from './imports/service.ts';
import { createPacedEmit } from './metrics/pacedEmit.ts';
import type { LaunchInputs } from './plans/hash.ts';
import { planImportMethods } from './plans/importService.ts';
import { practiceLabMethods } from './plans/practiceLab.ts';
import { createProfileBook, type ProfileBook } from './profiles/book.ts';
import { profileMethods } from './profiles/service.ts';
import { loadProfiles } from './profiles/shipped.ts';
import { reportMethods } from './reports/service.ts';
import { fontsDirOf } from './reports/writers.ts';
import type { RunLimits } from './runs/context.ts';
import { createRunService } from './runs/service.ts';
import { labMethods, tellLab } from './simlab/methods.ts';
import { createPlanVariants, studyPeers } from './studies/peers.ts';
import { createStudyService } from './studies/service.ts';
import { powerMethods } from './testbeds/power.ts';
import { createCheckBook } from './testbeds/preflight/book.ts';
import { createLaunchGate } from './testbeds/preflight/launchGate.ts';
import { preflightMethods } from './testbeds/preflight/service.ts';
import { createProvisionService } from './testbeds/provision/service.ts';
import { launchInputs, testbedMethods } from './testbeds/service.ts';
import { createUpdateService } from './updates/service.ts';
import { driverInfos } from './workloads/index.ts';

export interface Engine {
  handlers: Handlers;
  /** Leaves running load on the clients alone: the next engine reads on. */
  close(): Promise<void>;
}

export interface EngineOptions {
  limits?: Partial<RunLimits>;
  /** How long one check before a run may take; default 30 s. */
  checkMs?: number;
  /** In tests: other ready-made studies. */ gallery?: readonly GalleryEntry[];
  /**
   * false: a study that an earlier engine drove stands until an engine that stays goes on with it.
   */
  resumeStudies?: boolean;
}

/**
 * The one wiring file: everything the contract promises, made from the host's `deps`. Recovery of
 * unfinished runs starts here.
 */
export async function createEngine(
  deps: Deps,
  emitTo: Emit,
  options: EngineOptions = {},
): Promise<Engine> {
  // A virtual clock may pass an hour in a second: what is told keeps to the speed of who watches.
  const paced = deps.lab === null ? null : createPacedEmit({ emit: emitTo });
  const emit = paced?.emit ?? emitTo;
  const db = openDatabase({
    dataDir: deps.dataDir,
    clock: deps.clock,
    log: deps.log,
    appVersion: deps.version,
    powerSafe: deps.lab === null,
  });
  const services = createServices(
    { deps, db, emit, profiles: createProfileBook(() => loadProfiles(deps.resourcesDir), db) },
    options,
  );
  const { runs, studies, provision, guests, history, bundles, imports, peers } = services;
  // On a disk without any room nothing is gone on with: that waits for the next start.
  if (!db.readOnly) await recover(services, options.resumeStudies ?? true);
  const ending = new AbortController();
  const backups =
    deps.lab === null && !db.readOnly ? db.startBackups(ending.signal) : Promise.resolve();
  const looking = services.updates.watch(ending.signal);
  const stopTelling = tellLab(deps, emit);
  let closing: Promise<void> | null = null;
  return {
    handlers: sayStoreFaults(handlersOf(services), deps.dataDir, db),
    close: () =>
      (closing ??= (async () => {
        stopTelling();
        provision.close();
        guests.close();
        const left = studies.close();
        await runs.close();
        await left;
        await history.close();
        bundles.close();
        imports.close();
        await peers.close();
        ending.abort();
        await Promise.all([backups, looking]);
        db.close();
        paced?.close();
      })()),
  };
}

/** What every service is made from. */
interface Ground {
  deps: Deps;
  db: Database;
  emit: Emit;
  profiles: ProfileBook;
}
type Services = ReturnType<typeof createServices>;

/** Makes what lives as long as the engine; nothing begins yet. */
function createServices(ground: Ground, options: EngineOptions) {
  const { deps, db, emit, profiles } = ground;
  const shelf = createShelf(options.gallery);
  const variants = createPlanVariants();
  const secrets = createSecretGate(deps, db);
  const peers = createPeers(
    deps,
    (id) => db.connections.get(id),
    secrets,
    (connection) => measuredUpdateMs(db, connection),
  );
  const inputs = (planId: string): LaunchInputs => launchInputs(db, profiles, variants, planId);
  const book = createCheckBook();
  const runs = createRunService({
    deps,
    db,
    peers,
    emit,
    inputs,
    gate: createLaunchGate({ peers, book }),
    ...(options.limits ? { limits: options.limits } : {}),
  });
  const preflight = preflightMethods({
    deps,
    db,
    peers,
    emit,
    book,
    variants,
    inputs,
    start: runs.methods['run.start'],
    ...(options.checkMs === undefined ? {} : { checkMs: options.checkMs }),
  });
  const service = createStudyService({
    deps,
    db,
    emit,
    entry: (id) => shelf.entries().find((one) => one.item.id === id) ?? null,
    peers: studyPeers({ deps, db, profiles, runs, variants, check: preflight['plan.check'] }),
  });
  // Every window lists studies, and a list tells nothing of ready-made ones: they stay unmade.
  const { 'study.list': list, ...others } = service.methods;
  const studies = { ...service, methods: { 'study.list': list, ...shelf.loadedFirst(others) } };
  return {
    ...ground,
    shelf,
    secrets,
    peers,
    runs,
    preflight,
    studies,
    bundles: createBundleService({ deps, db, stored: runs.record, emit }),
    imports: createImportService({ deps, db, emit }),
    updates: createUpdateService({ deps, emit, isRunning: () => runs.isRunning() }),
    provision: createProvisionService({
      deps,
      db,
      peers,
      emit,
      profile: (id) => profiles.get(id),
    }),
    guests: createGuestService({ deps, db, peers, emit, profile: (id) => profiles.get(id) }),
    history: createHistoryService({
      deps,
      db,
      emit,
      removeStudy: (id) => studies.methods['study.remove']({ id }, new AbortController().signal),
    }),
  };
}

/** Goes on with what an earlier engine left; labs first, because runs on them are picked up. */
async function recover(services: Services, resumeStudies: boolean): Promise<void> {
  const { shelf, db } = services;
  if (db.studies.list().some(({ galleryId }) => galleryId !== null)) {
    await shelf.load();
    loadInstalledLabs({ ...services, entries: shelf.entries() });
  }
  services.bundles.recover();
  await services.runs.recover();
  if (resumeStudies) {
    services.studies.recover();
    services.provision.recover();
    services.guests.recover();
  }
  services.history.recover();
}

/** Every method of the contract, each from the service that has it. */
function handlersOf(services: Services): Handlers {
  const { deps, db, emit, profiles, shelf, secrets, peers, runs, studies } = services;
  const connections = connectionMethods({ deps, db, peers, secrets, emit });
  const testbeds = testbedMethods({ deps, db, peers, emit, profiles });
  const ofProfiles = profileMethods({ book: profiles, db, emit });
  return {
    'app.info': async () => ({ ...appInfo(deps, db), ...services.updates.newer() }),
    'driver.list': async () => driverInfos(),
    ...connections,
    ...testbeds,
    ...powerMethods({ db, peers, emit, usedBy: (id) => runs.onTestbed(id) }),
    ...shelf.loadedFirst(
      planImportMethods({
        deps,
        db,
        peers,
        secrets,
        profiles,
        saveStudy: (spec) => studies.save(spec),
        emit,
      }),
    ),
    ...practiceLabMethods(deps),
    ...services.preflight,
    ...services.provision.methods,
    ...services.guests.methods,
    ...runs.methods,
    ...readingMethods(services),
    ...services.bundles.methods,
    ...services.imports.methods,
    ...services.updates.methods,
    ...ofProfiles,
    ...studies.methods,
    ...services.history.methods,
    ...storyMethods({ db, emit }),
    ...shelf.loadedFirst(
      galleryMethods({
        deps,
        db,
        profiles,
        emit,
        entries: shelf.entries,
        saveStudy: (spec) => studies.methods['study.save'](spec, new AbortController().signal),
      }),
    ),
    ...customerLabMethods({
      deps,
      db,
      profiles,
      emit,
      saveStudy: (spec) => studies.methods['study.save'](spec, new AbortController().signal),
      runOn: (testbedId) => runs.onTestbed(testbedId),
      calls: { ...connections, ...testbeds, ...ofProfiles, ...studies.methods },
    }),
    ...labMethods(deps),
  };
}

/** What is made of runs and studies that were measured: comparisons, diagnoses, reports. */
function readingMethods({ deps, db, emit, profiles, shelf, runs, studies }: Services) {
  const overviewOf = studies.methods['study.overview'];
  const compare = createCompareService(db);
  const curves = studyCompareMethods({ db, overviewOf, profile: (id) => profiles.get(id) });
  const diagnosis = diagnosisMethods({
    db,
    stored: runs.record,
    overviewOf: (id) => overviewOf({ id }, new AbortController().signal),
  });
  return {
    ...compareMethods(compare),
    ...curves,
    ...diagnosis,
    ...reportMethods({
      fontsDir: fontsDirOf(deps.resourcesDir),
      stored: runs.record,
      samples: db.samples,
      compare,
      emit,
      diagnose: (input, signal) => diagnosis['run.diagnose'](input, signal),
      version: deps.version,
      now: () => deps.clock.now(),
      db,
      profile: (id) => profiles.get(id),
      overviewOf,
      compareCurves: curves['study.compare'],
      diagnoseStudy: (input, signal) => diagnosis['study.diagnose'](input, signal),
      labsOf: (id) => shelf.entries().find((one) => one.item.id === id)?.labs ?? [],
    }),
  };
}

function appInfo(deps: Deps, db: Database): Output<'app.info'> {
  return {
    version: deps.version,
    host: deps.host,
    secrets: deps.secrets.kind,
    dataDir: deps.dataDir,
    node: process.version,
    workspace: deps.lab === null ? 'real' : 'simulated',
    nowMs: deps.clock.now(),
    disk: {
      state: db.readOnly ? 'readOnly' : db.room.isLow() ? 'full' : 'ok',
      freeBytes: db.room.freeBytes(),
    },
  };
}
