import type { MeteredSource } from '../../../src/core/testbed/powerSources.ts';
import type { Identity, TestReport } from '../../../src/wire/contract/connections.ts';
import type { MeterKeys, PowerMeter } from '../deps/power.ts';
import { openCsv, testCsv } from './csv/meter.ts';
import type { MeterGround } from './ground.ts';
import { identifyHttp, openHttp, testHttp } from './http/meter.ts';
import { openNut, testNut } from './nut.ts';
import { openPtd, testPtd } from './ptd/meter.ts';
import { identifyRedfish, openRedfish, testRedfish } from './redfish/meter.ts';
import { openSnmp, testSnmp } from './snmp/meter.ts';

export interface MeterKind<S extends MeteredSource> {
  /**
   * Step by step: those of `testSteps` that it has. A step that fails says what to do; throws
   * nothing but `aborted`.
   */
  test: (
    source: S,
    ground: MeterGround & { secret: string },
    signal?: AbortSignal,
  ) => Promise<TestReport>;
  /** Makes no connection yet: the first read does. */
  open: (source: S, ground: MeterGround & MeterKeys) => PowerMeter;
  /** Of one that presents a certificate: reads it, and sends nothing but the handshake. */
  identify?: (source: S, name: string, signal?: AbortSignal) => Promise<Identity>;
}

/** What opens each type of source that has a meter of its own. */
export const meters: {
  readonly [T in MeteredSource['type']]: MeterKind<Extract<MeteredSource, { type: T }>>;
} = {
  nut: {
    test: (source, _ground, signal) => testNut(source, signal),
    open: (source, { clock }) => openNut(source, clock),
  },
  ptd: { test: testPtd, open: openPtd },
  csv: { test: testCsv, open: openCsv },
  http: { test: testHttp, open: openHttp, identify: identifyHttp },
  snmp: { test: testSnmp, open: openSnmp },
  redfish: { test: testRedfish, open: openRedfish, identify: identifyRedfish },
};
