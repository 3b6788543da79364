import { loads } from './loads.ts';
import type { SimulatedTool } from './types.ts';

/** Tools that the machines of simulated labs have, by the name of the program. */
export const tools: Readonly<Record<string, SimulatedTool>> = {
  'tilebench-simload': { version: 'tilebench-simload 1', run: loads.simload },
  fio: { version: 'fio-3.33', run: loads.fio },
  sysbench: { version: 'sysbench 1.0.20', run: loads.sysbench },
  dbench: { version: 'dbench version 4.00', run: loads.dbench },
};
