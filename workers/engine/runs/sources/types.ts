import type { MetricName, SeriesDef } from '../../../../src/core/metric/metric.ts';
import type { Plan } from '../../../../src/core/plan/plan.ts';
import type { Connection, PowerConnection } from '../../../../src/core/testbed/connection.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { Testbed } from '../../../../src/core/testbed/testbed.ts';
import type { UplinkCounted } from '../../deps/vcenter.ts';
import type { MeterFacts } from '../../power/meterFacts.ts';
import type { ParserResume } from '../../workloads/driver.ts';
import type { RunContext } from '../context.ts';
import type { WorkloadUnit } from '../series.ts';
import type { ProcMetric } from './procReading.ts';

/** What is known of a run when its series are written down. */
export interface SeriesBasis {
  plan: Plan;
  testbed: Pick<Testbed, 'hostLogins'>;
  units: readonly WorkloadUnit[];
  /** Infrastructure operations that are driven. */
  operations?: readonly { operation: { id: string; name: string } }[];
  inventory: Inventory | null;
  /** Adapters that vCenter counts one by one. */
  uplinks?: readonly UplinkCounted[];
  /** What vCenter counts of a datastore beside its commands and latencies. */
  storeMetrics?: readonly MetricName[];
  /** What vCenter counts of a VM. */
  vmMetrics?: readonly MetricName[];
  /** What each client and Linux host tells of itself, by the id of its connection. */
  procMetrics?: ReadonlyMap<string, readonly ProcMetric[]>;
  /** ESXi hosts that can be logged in to. */
  esxiHosts?: readonly { ref: string }[];
  connections: readonly Connection[];
  powers: readonly (MeterFacts & { connection: PowerConnection })[];
}
/** A series before it has its number in the run. */
export type SeriesDraft = Omit<SeriesDef, 'id'>;

/** One kind of thing that gives samples of a run. */
export interface Source {
  series(of: SeriesBasis): SeriesDraft[];
  /**
   * What is asked again and again while load runs; absent = what gives these series is started by
   * the run itself, as its workloads and operations are.
   */
  polls?(context: RunContext): Poll[];
}

/** One peer that is asked, at its own period, in a loop of its own. */
export interface Poll {
  /** What it reads, in words. */
  name: string;
  /** Connection it is read from: what of it is away is told once for all its polls. */
  peerId: string;
  /** Of its journal: no other poll, workload or operation of the run has it. */
  key: string;
  periodMs: number;
  /** Makes no connection yet: the first read does. */
  start(feed: Feed): PollReader;
}

export interface PollReader {
  /** Hands on what is new. Throws while its peer is away: that is told once, and it is asked again. */
  read(signal: AbortSignal): Promise<void>;
  /** After its last read: waits, within a limit of its own, for what arrives late. */
  finish?(): Promise<void>;
  stop?(): void | Promise<void>;
}

/** The way of one source's samples into the run. */
export interface Feed {
  /** How far the source was read when its samples were last stored; null = never. */
  readonly stored: { resume: ParserResume; lastTMs: number } | null;
  /**
   * Hands one sample on; false for a series the run does not have, and for what was stored before
   * this engine took the source up.
   */
  push(seriesId: number | undefined, tMs: number, value: number): boolean;
  /** Notes how far the source was read: stored in one transaction with the samples that led there. */
  journal(lastTMs: number, resume?: ParserResume): void;
}
