import type { DriverId } from '../../../src/core/profile/driverKinds.ts';
import { command } from './command.ts';
import { dbench } from './dbench.ts';
import { fio } from './fio.ts';
import { goTpcDriver } from './goTpc.ts';
import { h2loadDriver } from './h2load.ts';
import { heartbeat } from './heartbeat.ts';
import { imaptestDriver } from './imaptest.ts';
import { iperf3 } from './iperf3.ts';
import { jmeter } from './jmeter.ts';
import { k6 } from './k6.ts';
import { netperfDriver } from './netperf.ts';
import { pgbenchDriver } from './pgbench.ts';
import { simload } from './simload.ts';
import { sockperfDriver } from './sockperf.ts';
import { sysbenchCpu } from './sysbenchCpu.ts';
import { sysbenchOltp } from './sysbenchOltp.ts';
import { tilekit } from './tilekit.ts';
import { tilekitDvdstore } from './tilekitDvdstore.ts';
import { tilekitFile } from './tilekitFile.ts';
import { tilekitMail } from './tilekitMail.ts';
import { tilekitNet } from './tilekitNet.ts';
import { tilekitOrders } from './tilekitOrders.ts';
import { wrk } from './wrk.ts';

/** What runs each kind of `driverKinds.ts`, by its id, in the order of the forms. */
export const driverList = {
  fio,
  'sysbench-oltp': sysbenchOltp,
  dbench,
  'sysbench-cpu': sysbenchCpu,
  heartbeat,
  tilekit,
  'tilekit-dvdstore': tilekitDvdstore,
  iperf3,
  'tilekit-mail': tilekitMail,
  'tilekit-file': tilekitFile,
  'tilekit-net': tilekitNet,
  'tilekit-orders': tilekitOrders,
  jmeter,
  k6,
  sockperf: sockperfDriver,
  netperf: netperfDriver,
  imaptest: imaptestDriver,
  pgbench: pgbenchDriver,
  'go-tpc': goTpcDriver,
  h2load: h2loadDriver,
  wrk,
  command,
  simload,
} as const satisfies Readonly<Record<DriverId, { readonly id: DriverId }>>;
