import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type Lab, readInventory } from './lab.ts';
import { messagesOf } from './mail.ts';
import { listProcesses, readProc } from './processes.ts';

/** What the servers and clients of the tile in the style of VMmark 2 hold beyond their start. */
export interface LeftOfTile {
  messages: number;
  /** Of the shop, with commas between them. */
  tables: string;
  queued: number;
  /** Files of Tilebench and processes of its loads on the clients. */
  onClients: string[];
  vms: number;
}

/** Counted at the servers themselves. The lab must have such a tile. */
export async function leftOfTile({
  styleTile,
  clients,
  vcenter,
}: Pick<Lab, 'styleTile' | 'clients' | 'vcenter'>): Promise<LeftOfTile> {
  const { mail, shop } = styleTile!.servers;
  const users = Array.from({ length: mail.mailboxes }, (_, i) => `user${i + 1}`);
  const files = clients.flatMap(({ name, home }) =>
    ['.tilebench', '.tilebench-kit']
      .filter((folder) => existsSync(join(home, folder)))
      .flatMap((folder) => readdirSync(join(home, folder)).map((file) => `${name}: ${file}`)),
  );
  const loads = listProcesses()
    .filter(({ pid, state }) => {
      const environment = readProc(`/proc/${pid}/environ`);
      return state !== 'Z' && clients.some((c) => environment.includes(`TILEBENCH_JOB=${c.home}`));
    })
    .map(({ pid }) => `process ${pid}`);
  return {
    messages: users.flatMap((user) => messagesOf(mail.dovecot.home(user))).length,
    tables: shop.ask(`SHOW TABLES FROM ${shop.database}`).replaceAll('\n', ', '),
    queued: mail.postfix.queued(),
    onClients: [...files, ...loads],
    vms: (await readInventory(vcenter)).vms.length,
  };
}
