import type { PowerConnection } from '../../../src/core/testbed/connection.ts';
import type { Identity, TestReport } from '../../../src/wire/contract/connections.ts';

export interface PowerReading {
  tMs: number;
  watts: number;
}
/** What a meter says of its readings, and what was measured of it. */
export interface MeterAbout {
  /** What is measured: `the machine`, `UPS rack7`. */
  scope: string;
  /** How often the device measures; null = it does not say, and nobody measured it. */
  updateMs: number | null;
  /** How old a reading may be; null = as old as `updateMs`. */
  lagMs: number | null;
  /** A reading is the mean over so long; 0 = of its moment, null = the device does not say. */
  windowMs: number | null;
  /** Of a reading, in per cent of it; null = not stated. */
  uncertaintyPct: number | null;
  /** Readings are means between the steps of an energy counter. */
  counts?: boolean;
}
export interface PowerMeter {
  readonly source: string;
  readonly periodMs: number;
  readonly lagMs: number;
  readonly decimals: number;
  /**
   * Newer readings than the last call's; empty when there is nothing new. A device that keeps a
   * history gives what it has since `sinceMs`; null = from now on. Throws AppError (unreachable,
   * notFound, timedOut) with words that name the meter.
   */
  read(signal?: AbortSignal, sinceMs?: number | null): Promise<PowerReading[]>;
  /** What a device that keeps a history has since; asked once, at the end of a run. */
  flush?(sinceMs: number, signal?: AbortSignal): Promise<PowerReading[]>;
  /** Absent = as the fields above. */
  about?(signal?: AbortSignal): Promise<MeterAbout>;
  /** Ends its session, where it has one, within a limit of its own; throws nothing. */
  close(): void | Promise<void>;
}
/** What opens a meter, beside its connection. */
export interface MeterKeys {
  /** The secret, for the peer it was entered for; asked for when it is needed. */
  secret: () => Promise<string>;
  /** How often a new value came when it was last tested, in ms; null = not measured. */
  measuredMs: number | null;
}
export interface PowerEdge {
  /** `secret`: as typed or stored; null = this source logs in nowhere. */
  test(
    connection: PowerConnection,
    secret: string | null,
    signal?: AbortSignal,
  ): Promise<TestReport>;
  /** Reads the certificate without trusting it. Throws invalidInput where there is none. */
  identify(connection: PowerConnection, signal?: AbortSignal): Promise<Identity>;
  open(connection: PowerConnection, keys: MeterKeys): PowerMeter;
}
