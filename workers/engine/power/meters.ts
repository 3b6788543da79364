import type { MeteredSource } from '../../../src/core/testbed/powerSources.ts';
import type { TestReport } from '../../../src/wire/contract/connections.ts';
import type { Clock } from '../deps.ts';
import type { PowerMeter } from '../deps/power.ts';
import { openNut, testNut } from './nut.ts';

export interface MeterKind<S extends MeteredSource> {
  /** Step by step: name, port, permission. A step that fails says what to do; throws nothing. */
  test: (source: S, signal?: AbortSignal) => Promise<TestReport>;
  /** Makes no connection yet: the first read does. */
  open: (source: S, clock: Clock) => PowerMeter;
}

/** What opens each type of source that has a meter of its own. */
export const meters: {
  readonly [T in MeteredSource['type']]: MeterKind<Extract<MeteredSource, { type: T }>>;
} = {
  nut: { test: testNut, open: openNut },
};
