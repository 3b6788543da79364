import type { PowerConnection } from '../../../src/core/testbed/connection.ts';
import type { TestReport } from '../../../src/wire/contract/connections.ts';

export interface PowerReading {
  tMs: number;
  watts: number;
}
export interface PowerMeter {
  readonly source: string;
  readonly periodMs: number;
  readonly lagMs: number;
  readonly decimals: number;
  /**
   * Newer readings than the last call's; empty when there is nothing new. Throws AppError
   * (unreachable, notFound, timedOut) with words that name the meter.
   */
  read(signal?: AbortSignal): Promise<PowerReading[]>;
  /**
   * How often the device behind the meter measures, which is how old a reading may be; null = it
   * does not say.
   */
  updateMs?(signal?: AbortSignal): Promise<number | null>;
  close(): void;
}
export interface PowerEdge {
  test(connection: PowerConnection, signal?: AbortSignal): Promise<TestReport>;
  open(connection: PowerConnection): PowerMeter;
}
