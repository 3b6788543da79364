import { command } from './command.ts';
import { dbench } from './dbench.ts';
import { fio } from './fio.ts';
import { heartbeat } from './heartbeat.ts';
import { simload } from './simload.ts';
import { sysbenchCpu } from './sysbenchCpu.ts';
import { sysbenchOltp } from './sysbenchOltp.ts';

/** All drivers, in the order of the forms. */
export const driverList = [fio, sysbenchOltp, dbench, sysbenchCpu, heartbeat, command, simload];
