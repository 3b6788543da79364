import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ordersJava } from '../../src/core/roles/data/ordersSource.ts';
import { startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';

/** What the server has counted since its start. */
export interface OrderSums {
  orders: number;
  lines: number;
  cents: number;
  payments: number;
  paidCents: number;
  delivered: number;
  deliveries: number;
  statuses: number;
  stocks: number;
}

export interface LabOrders {
  readonly host: '127.0.0.1';
  readonly port: number;
  sums(): Promise<OrderSums>;
  stop(): Promise<void>;
}

/** The order server as the role puts it on a machine, on loopback. Debian package default-jdk-headless. */
export async function startOrders(dir: string): Promise<LabOrders> {
  const port = await freePort();
  const source = join(dir, 'Orders.java');
  const log = join(dir, `orders-${port}.log`);
  writeFileSync(source, ordersJava);
  const server = startChild('java', ['-Xmx256m', source, '127.0.0.1', String(port)], log);
  await poll(`java Orders.java (${log})`, () => {
    if (server.ended()) throw new Error(`java ended: ${server.log().slice(-400)}`);
    return server.log().includes('listens');
  });
  return {
    host: '127.0.0.1',
    port,
    sums: async () => (await (await fetch(`http://127.0.0.1:${port}/sums`)).json()) as OrderSums,
    stop: () => server.stop(),
  };
}
