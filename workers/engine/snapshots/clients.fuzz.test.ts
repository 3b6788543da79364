import fc from 'fast-check';

import { clientRecord } from '../../../src/core/run/run.ts';
import { readStored } from '../db/readStored.ts';
import type { SshHost } from '../deps/ssh.ts';
import { offsetOf } from '../ssh/clockOffset.ts';
import { parseExit } from '../ssh/remoteJob.ts';
import { damagedBytes } from '../testing/fuzz/bytes.ts';
import { fuzz } from '../testing/fuzz/fuzz.ts';
import { drivers, getDriver } from '../workloads/index.ts';
import { paramsOf } from '../workloads/testing/outputs.ts';
import { readClient } from './clients.ts';

const said = [
  'Linux 6.1.0\n4\n8000000 kB\nmachine=0123456789abcdef0123456789abcdef\ncpu=CPU 9\nos=Debian GNU/Linux 12\n',
  'fio-3.33\n',
  'sysbench 1.0.20 (using LuaJIT)\n',
  '1700000000123456789\n',
  '0 1700000000 1700000060\n',
];
/** A client machine that answers every command with these words. */
const hostSaying = (stdout: string, code: number): SshHost =>
  ({
    exec: async () => ({ code, stdout, stderr: stdout.slice(0, 2_000) }),
    clockOffset: async () => ({ offsetMs: 0, errorMs: 1 }),
  }) as unknown as SshHost;

fuzz({
  name: 'what a client machine says of itself and its tools',
  cases: 700,
  inputs: fc.tuple(
    damagedBytes(said),
    fc.constantFrom(0, 0, 1, 127),
    fc.constantFrom(...drivers.keys()),
  ),
  print: ([bytes, code, driver]) =>
    `${driver} ${code} ${Buffer.from(bytes.subarray(0, 400)).toString('latin1')}`,
  async take([bytes, code, driver]) {
    const text = Buffer.from(bytes).toString('utf8');
    const host = hostSaying(text, code);
    const params = getDriver(driver).params.parse(paramsOf[driver] ?? {});
    const unit = { assignment: { clientId: 'c1' }, workload: { driver }, params };
    const record = await readClient(
      { peers: { client: async () => host }, connections: [] } as unknown as Parameters<
        typeof readClient
      >[0],
      'c1',
      [unit] as unknown as Parameters<typeof readClient>[2],
      new AbortController().signal,
    );
    // A run keeps it for ever: what cannot be read back takes the whole record with it.
    const stored = readStored(clientRecord, JSON.stringify(record));
    if (!stored.ok) throw new Error(`The record cannot be read back: ${stored.issue}`);
    parseExit(text);
    const offset = offsetOf([{ sentMs: 0, receivedMs: 1, remote: text }]);
    if (offset && !(Math.abs(offset.offsetMs) <= 1e21))
      throw new Error(`The clock is ${offset.offsetMs} ms off.`);
  },
});
