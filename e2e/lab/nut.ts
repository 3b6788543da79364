import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { type Child, startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';

export interface LabNut {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly ups: string;
  /** Fixes the load from now on; the moving load ends. */
  setWatts(watts: number): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

const upsName = 'host1';

/**
 * A load that moves as a host's would: up in a minute, around its level, and never the same twice
 * in a row.
 */
function movingLoad(): string {
  const watts = Array.from(
    { length: 120 },
    (_, i) => 180 + 40 * Math.sin(i / 9) + 15 * Math.sin(i / 2.3),
  );
  return watts.map((w) => `ups.realpower: ${w.toFixed(1)}\nTIMER 1\n`).join('');
}

/**
 * A private NUT server (dummy-ups and upsd) on loopback with its own configuration and state.
 * Debian packages nut-server.
 */
export async function startNut({
  dir,
  pollS,
}: {
  dir: string;
  /** How often its driver asks the device; default NUT's own 2 s. */ pollS?: number;
}): Promise<LabNut> {
  const conf = join(dir, 'nut');
  const state = join(conf, 'state');
  mkdirSync(state, { recursive: true });
  const port = await freePort();
  const write = (name: string, text: string): void => {
    writeFileSync(join(conf, name), text);
    chmodSync(join(conf, name), 0o640);
  };
  const base =
    'device.mfr: Tilebench\ndevice.model: practice lab\nups.status: OL\nups.realpower: 180.0\n';
  write('load.seq', `${base}TIMER 1\n${movingLoad()}`);
  write('load.dev', base);
  write('nut.conf', 'MODE=standalone\n');
  write('upsd.conf', `LISTEN 127.0.0.1 ${port}\nMAXAGE 15\n`);
  write('upsd.users', '');
  let file = 'load.seq';
  const upsConf = (): void =>
    write(
      'ups.conf',
      `maxretry = 3\n[${upsName}]\n  driver = dummy-ups\n  port = ${join(conf, file)}\n  ` +
        'mode = ' +
        `${file.endsWith('.seq') ? 'dummy-loop' : 'dummy-once'}\n${pollS === undefined ? '' : `  pollinterval = ${pollS}\n`}`,
    );
  const env = {
    NUT_CONFPATH: conf,
    NUT_STATEPATH: state,
    NUT_ALTPIDPATH: state,
    NUT_PIDPATH: state,
  };
  const driver = [
    '/lib/nut/dummy-ups',
    '/usr/lib/nut/dummy-ups',
    '/usr/libexec/nut/dummy-ups',
  ].find(existsSync);
  const upsd = ['/lib/nut/upsd', '/usr/sbin/upsd', '/sbin/upsd'].find(existsSync);
  if (!driver || !upsd) throw new Error('NUT is not installed: apt-get install nut-server');
  const user = process.getuid?.() === 0 ? ['-u', 'root'] : [];
  let children: Child[] = [];

  async function start(): Promise<void> {
    upsConf();
    const log = join(conf, 'nut.log');
    children = [startChild(driver!, ['-a', upsName, '-F', ...user], log, env)];
    await poll('the dummy UPS', () => existsSync(join(state, `dummy-ups-${upsName}`)));
    children.push(startChild(upsd!, ['-F', ...user], log, env));
    await poll(`the NUT server (${log})`, () => answers(port));
  }
  const stop = async (): Promise<void> => {
    for (const child of children.reverse()) await child.stop(3_000);
    children = [];
  };
  await start();
  return {
    host: '127.0.0.1',
    port,
    ups: upsName,
    stop,
    async setWatts(watts) {
      write('load.dev', base.replace('180.0', watts.toFixed(1)));
      file = 'load.dev';
      await stop();
      await start();
    },
    async kill() {
      for (const child of children.reverse()) await child.kill();
      children = [];
    },
    async restart() {
      await stop();
      await start();
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET VAR ${upsName} ups.realpower\n`),
    );
    let said = '';
    socket.on('data', (bytes) => {
      said += bytes.toString();
      if (said.includes('\n')) {
        socket.destroy();
        resolve(said.startsWith('VAR '));
      }
    });
    socket.on('error', () => resolve(false));
    socket.setTimeout(1_000, () => {
      socket.destroy();
      resolve(false);
    });
  });
}
