import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startChild } from './child.ts';
import { poll } from './poll.ts';
import { installPython, python } from './python.ts';
import { freeUdpPort } from './snmpd.ts';

/** snmpsim and what it needs, what asks for them included. */
const packages = [
  'snmpsim==1.2.2',
  'pysnmp==7.1.30',
  'pyasn1==0.6.5',
  'pysmi==2.0.0',
  'cryptography==50.0.2',
  'cffi==2.1.1',
  'pycparser==3.12',
  'Jinja2==3.1.6',
  'MarkupSafe==3.0.4',
  'requests==2.34.2',
  'urllib3==2.8.0',
  'certifi==2026.10.18',
  'charset-normalizer==3.5.2',
  'idna==3.20',
];

export interface LabSnmpsim {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * snmpsim: an agent that answers as recorded PDUs would. `records`: by community, the lines as
 * `.snmprec` has them: OID, tag of the type, value.
 */
export async function startSnmpsim(
  dir: string,
  records: Readonly<Record<string, readonly string[]>>,
): Promise<LabSnmpsim> {
  const data = join(dir, 'records');
  const cache = join(dir, 'cache');
  for (const folder of [dir, data, cache]) {
    mkdirSync(folder, { recursive: true });
    // It gives up root before it reads and indexes.
    chmodSync(folder, 0o777);
  }
  for (const [community, lines] of Object.entries(records))
    writeFileSync(join(data, `${community}.snmprec`), `${lines.join('\n')}\n`);
  const port = await freeUdpPort();
  const log = join(dir, 'snmpsim.log');
  const child = startChild(
    python,
    [
      '-c',
      'from snmpsim.commands.responder import main; main()',
      ...[`--data-dir=${data}`, `--cache-dir=${cache}`],
      ...[`--agent-udpv4-endpoint=127.0.0.1:${port}`],
      ...['--process-user=nobody', '--process-group=nogroup'],
    ],
    log,
    { PYTHONPATH: installPython(packages), PYTHONDONTWRITEBYTECODE: '1' },
  );
  await poll(`snmpsim (${log})`, () => {
    if (child.ended()) throw new Error(`snmpsim ended: ${child.log()}`);
    return child.log().includes('Listening at UDP');
  });
  return { port, stop: () => child.stop(3_000) };
}
