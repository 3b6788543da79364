import type { ImportId } from '../../../src/core/history/importForms.ts';
import { dbenchFile } from './dbench.ts';
import { dvdstore } from './dvdstore.ts';
import { esxtop } from './esxtop.ts';
import { fioFile } from './fioFile.ts';
import { h2load } from './h2load.ts';
import { iometer } from './iometer.ts';
import { iperf3 } from './iperf3.ts';
import { iperf3Text } from './iperf3Text.ts';
import { jmeter } from './jmeter.ts';
import { jmeterXml } from './jmeterXml.ts';
import { k6 } from './k6.ts';
import { pgbench } from './pgbench.ts';
import { pgbenchLog } from './pgbenchLog.ts';
import { sockperf } from './sockperf.ts';
import { sysbench } from './sysbench.ts';
import { tilekit } from './tilekit.ts';
import type { ImportFormat } from './types.ts';
import { wrk } from './wrk.ts';

/** What reads each form of `importForms.ts`. */
export const importers: Readonly<Record<ImportId, ImportFormat>> = {
  esxtop,
  iometer,
  fio: fioFile,
  dvdstore,
  dbench: dbenchFile,
  sysbench,
  tilekit,
  pgbench,
  pgbenchLog,
  iperf3,
  iperf3Text,
  sockperf,
  h2load,
  wrk,
  k6,
  jmeter,
  jmeterXml,
};
