import type { HistoryItem } from '../../../src/core/history/history.ts';
import type { OwnStory } from '../../../src/core/history/story.ts';
import type { SampleBatch, SeriesData, SeriesDef } from '../../../src/core/metric/metric.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { GuestJob } from '../../../src/core/roles/job.ts';
import type { RunRecord, RunSummary } from '../../../src/core/run/run.ts';
import type { StudySpec } from '../../../src/core/study/study.ts';
import type { StudyPoint } from '../../../src/core/study/study.ts';
import type { Connection } from '../../../src/core/testbed/connection.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import type { ProvisionJob } from '../../../src/core/testbed/provision.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';
import type { JobHandle } from '../deps/ssh.ts';
import type { JournalEntry, SampleFlush } from '../metrics/types.ts';
import type { HistoryStore } from './history.ts';
import type { PartStore } from './partRecords.ts';
import type { Room } from './room.ts';
import type { SettingsStore } from './settings.ts';
import type { StorageStore } from './storage.ts';
import type { StoredProgress } from './studyProgress.ts';
import type { StudyProgress } from './studyProgress.ts';
import type { TrustStore } from './trust.ts';
import type { UnreadableStore } from './unreadable.ts';

export interface DocStore<T> {
  list(): T[];
  get(id: string): T | null;
  /** Bumps `version` where T has one; returns what was stored. */ save(doc: T): T;
  remove(id: string): void;
}

export interface TestbedStore extends DocStore<Testbed> {
  /**
   * Saves as `save` does. Of the versions in a row with the same `origin` only the last is kept: a
   * job that saves a hundred times is one step for people.
   */
  saveFor(testbed: Testbed, origin: string): Testbed;
  /**
   * Saved states, newest first; the current one is among them. `savedAtMs` null = saved before
   * times were kept.
   */
  versions(
    id: string,
  ): { savedAtMs: number | null; /** '' = a person. */ origin: string; testbed: Testbed }[];
  version(id: string, version: number): Testbed | null;
}

/** The last job of one kind of each testbed. */
export interface TestbedJobStore<J> {
  get(testbedId: string): J | null;
  list(): J[];
  save(job: J): void;
  remove(testbedId: string): void;
}

/** A started remote job, found again after a restart. */
export interface JobRow {
  runId: string;
  jobId: string;
  clientId: string;
  entityId: string;
  handle: JobHandle;
  /** Client's clock minus ours, when the job started. */
  offsetMs: number;
  /** How long the program was told to run; absent in jobs of earlier versions. */
  durationS?: number | undefined;
  ended: boolean;
}

export interface RunStore {
  /** Creates or replaces the record and its row in the history, in one transaction. */
  save(record: RunRecord): void;
  /** Throws internal for one that cannot be read: for who was asked for this run. */
  get(id: string): RunRecord | null;
  /**
   * null also for one that cannot be read, which is noted in `unreadable`: for who goes through
   * many.
   */
  find(id: string): RunRecord | null;
  /** The record as it is stored, readable or not. */
  raw(id: string): string | null;
  /** Newest first; `all` = with those in Deleted. */
  list(which?: 'kept' | 'all'): RunSummary[];
  /** Also of a run in Deleted. */
  summary(id: string): RunSummary | null;
  /** Runs of a plan, whatever became of them; no record is opened. */
  idsOfPlan(planId: string): ReadonlySet<string>;
  /** Runs whose state is not an end: for recovery at start. */
  unfinished(): RunRecord[];
  remove(id: string): void;
  saveJob(job: JobRow): void;
  jobs(runId: string): JobRow[];
  /** One job; a workload's has the entity's id. */
  job(runId: string, jobId: string): JobRow | null;
  saveLog(runId: string, name: string, text: string): void;
  logs(runId: string): { name: string; text: string }[];
}

export interface SampleStore {
  defineSeries(runId: string, series: readonly SeriesDef[]): void;
  series(runId: string): SeriesDef[];
  /**
   * One transaction, synchronous=FULL: when it returns, samples and journal are safe on disk. Gives
   * what of the batch was new. Throws AppError on a full disk.
   */
  append(flush: SampleFlush): SampleBatch;
  journal(runId: string): JournalEntry[];
  /**
   * Samples of `append` not stored since this store was opened: not newer than their series' last,
   * or without a finite time or value.
   */
  dropped(runId: string): { repeated: number; unusable: number };
  /**
   * Ascending by time. maxPoints > 0 decimates by min/max a bucket; uses rollups when they suffice.
   */
  read(
    runId: string,
    seriesIds: readonly number[],
    window: {
      fromMs?: number | undefined;
      toMs?: number | undefined;
      maxPoints?: number | undefined;
    },
  ): SeriesData[];
  /** Exact mean, count, min, max of a series over [fromMs, toMs). */
  aggregate(
    runId: string,
    seriesId: number,
    fromMs: number,
    toMs: number,
  ): { count: number; mean: number; min: number; max: number };
  /**
   * Puts other samples in the place of a series', and its definition, in one transaction. Of runs
   * that ended. Values are rounded to `def.decimals`.
   */
  replace(runId: string, def: SeriesDef, tMs: Float64Array, value: Float64Array): void;
  /** Flushes the tail into chunks and writes rollups; idempotent. */
  finish(runId: string): void;
  sampleCount(runId: string): number;
  /** All samples in storage order, for exports; constant memory. */
  iterate(runId: string): Iterable<SeriesData>;
  /** Drops what is kept in memory of a run that is removed. */
  forget(runId: string): void;
}

export interface Database {
  connections: DocStore<Connection>;
  testbeds: TestbedStore;
  provisions: TestbedJobStore<ProvisionJob>;
  guestJobs: TestbedJobStore<GuestJob>;
  plans: DocStore<Plan>;
  /** The user's own; the shipped ones are files. */ profiles: DocStore<Profile>;
  /** Of own runs and studies, to be presented. */ stories: DocStore<OwnStory>;
  studies: StudyStore;
  inventories: { get(vcenterId: string): Inventory | null; save(inventory: Inventory): void };
  runs: RunStore;
  samples: SampleStore;
  /**
   * What lies beside runs and studies: tags, folders, notes, Deleted, and the index of all texts.
   */
  history: HistoryStore;
  storage: StorageStore;
  unreadable: UnreadableStore;
  /** Path of the database. */
  file: string;
  purges: PurgeStore;
  parts: PartStore;
  settings: SettingsStore;
  /** Which secret may be shown to whom, and which plan files were agreed to. */
  trust: TrustStore;
  /** All of `work`'s writes, or none. */
  transaction<T>(work: () => T): T;
  /** Space of the data folder. */
  room: Room;
  /** The disk was so full at the start that nothing can be stored. */
  readOnly: boolean;
  /** Copies the database once a day; resolves when the signal has fired. */
  startBackups(signal: AbortSignal): Promise<void>;
  /** What recovery at start did, in words, for notices. */
  openedWith: { migratedFrom: number | null; backup: string | null };
  close(): void;
}

/** What a run is needed by. `deleted` = that lies in Deleted itself. */
export interface Need {
  kind: 'study' | 'plan' | 'run';
  id: string;
  name: string;
  deleted: boolean;
}

/** Removal for ever, in steps so small that a run beside it stores its seconds in time. */
export interface PurgeStore {
  /**
   * One transaction: from here on the entries are gone for every reader, whatever happens to this
   * process.
   */
  begin(items: readonly HistoryItem[]): void;
  /** Begun and not finished, by this engine or one before it. */
  pending(): HistoryItem[];
  /**
   * Removes the next part of an entry that was begun, at most `rows` rows of samples; true =
   * nothing of it is left.
   */
  step(item: HistoryItem, rows?: number): boolean;
  /**
   * By run: studies with a point whose result it is, and plans whose reference it is. Those that
   * are being purged do not count.
   */
  needs(): Map<string, Need[]>;
  /** Runs that are results of a study. */
  runsOf(studyId: string): string[];
}

export interface StudyStore extends DocStore<StudySpec> {
  /** Throws internal for one that cannot be read: for who was asked for this study. */
  progress(id: string): StoredProgress | null;
  /**
   * null also for one that cannot be read, which is noted in `unreadable`: for who goes through
   * many.
   */
  findProgress(id: string): StoredProgress | null;
  /** Spec and progress as they are stored, readable or not. */
  raw(id: string): string | null;
  /**
   * One transaction: the progress, and the points at these places; `length` cuts off what lies
   * behind.
   */
  saveProgress(
    id: string,
    progress: StudyProgress,
    points: readonly { place: number; point: StudyPoint }[],
    length: number,
  ): void;
}
