import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Child, startChild } from './child.ts';
import { poll } from './poll.ts';

export interface LabSnmpd {
  readonly port: number;
  readonly community: string;
  /** Of v3, SHA-256 and AES. */
  readonly user: string;
  readonly authPassphrase: string;
  readonly privacyPassphrase: string;
  /** What an object says from now on; null = there is none. */
  put(oid: string, value: number | null): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const base = '.1.3.6.1.4.1.318';

/**
 * A private agent of Net-SNMP on loopback that tells objects of a PDU (below APC's number) from
 * files. Debian package snmpd.
 */
export async function startSnmpd(dir: string): Promise<LabSnmpd> {
  const values = join(dir, 'objects');
  const state = join(dir, 'state');
  mkdirSync(values, { recursive: true });
  mkdirSync(state, { recursive: true });
  const pass = join(dir, 'pass.sh');
  // As `pass_persist` of snmpd.conf(5) asks: `pass` would give what it gave for half a minute.
  writeFileSync(
    pass,
    `while read -r what; do
  case "$what" in
    PING) echo PONG ;;
    get)
      read -r oid
      if [ -s "${values}/$oid" ]; then echo "$oid"; echo gauge; cat "${values}/$oid"; else echo NONE; fi ;;
    getnext) read -r oid; echo NONE ;;
    *) exit 0 ;;
  esac
done
`,
  );
  const port = await freeUdpPort();
  const snmpd: LabSnmpd = {
    port,
    community: 'lab community',
    user: 'meter',
    authPassphrase: 'authentication phrase',
    privacyPassphrase: 'privacy phrase',
    put(oid, value) {
      // Whole or not at all: an agent that reads half a file answers nothing any more.
      const path = join(values, `.${oid}`);
      writeFileSync(`${path}.part`, value === null ? '' : `${value}\n`);
      renameSync(`${path}.part`, path);
    },
    async restart() {
      await child.stop(3_000);
      child = start();
      await answers();
    },
    stop: () => child.stop(3_000),
  };
  const conf = join(dir, 'snmpd.conf');
  writeFileSync(
    conf,
    [
      `agentAddress udp:127.0.0.1:${port}`,
      `rocommunity "${snmpd.community}" 127.0.0.1`,
      `createUser ${snmpd.user} SHA-256 "${snmpd.authPassphrase}" AES "${snmpd.privacyPassphrase}"`,
      `rouser ${snmpd.user} priv`,
      `pass_persist ${base} /bin/sh ${pass}`,
      'sysName pdu.lab',
      '',
    ].join('\n'),
  );
  const log = join(dir, 'snmpd.log');
  const start = (): Child =>
    startChild('/usr/sbin/snmpd', ['-f', '-Lo', '-C', '-c', conf, '-I', '-smux'], log, {
      SNMP_PERSISTENT_DIR: state,
      MIBS: '',
    });
  let child = start();
  const answers = (): Promise<unknown> =>
    poll(`snmpd (${log})`, () => {
      if (child.ended()) throw new Error(`snmpd ended: ${child.log()}`);
      return child.log().includes('NET-SNMP version');
    });
  await answers();
  return snmpd;
}

/** A UDP port that was free a moment ago. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}
