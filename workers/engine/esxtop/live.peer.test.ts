import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { poll } from '../../../e2e/lab/poll.ts';
import { listProcesses } from '../../../e2e/lab/processes.ts';
import type { LabSshd } from '../../../e2e/lab/sshd.ts';
import type { SshHost } from '../deps/ssh.ts';
import { createBench, hopOf, targetOf } from '../ssh/testing/peer.ts';
import { createEsxtopCollector } from './collect.ts';
import { watchEsxtop, zoneOf } from './live.ts';
import { rankEsxtop } from './rank.ts';
import { standInCapture, standInProgram } from './testing/standIn.ts';

/** OpenSSH as it is; for esxtop a stand-in that prints a capture of our own making. */
describe('esxtop over SSH', () => {
  const bench = createBench();
  let sshd: LabSshd;
  let host: SshHost;
  let started = '';
  beforeAll(async () => {
    sshd = await bench.sshd();
    host = bench.host(targetOf(hopOf(sshd)));
    const at = (name: string): string => join(sshd.home, name);
    started = at('started');
    const { head, row } = standInCapture([
      { name: 'web: 1 (prod)', used: 150, ready: 44 },
      { name: 'idle', used: 1, ready: 0 },
    ]);
    writeFileSync(at('head'), `${head}\r\n`);
    writeFileSync(at('row'), `${row}\r\n`);
    sshd.setProgram('esxtop', standInProgram(started, at('head'), at('row')));
  });
  afterAll(() => bench.cleanUp());

  const starts = (): string[] =>
    existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n') : [];
  /** Who of the last start is still there. */
  const left = (): number[] => {
    const group = Number(starts().at(-1)?.split(' ')[0]);
    return listProcesses()
      .filter((one) => one.group === group && one.state !== 'Z')
      .map((one) => one.pid);
  };
  const collector = () =>
    createEsxtopCollector({
      vcpusOf: (name) => ({ 'web: 1 (prod)': 4, idle: 1 })[name],
      lun: (name) => name,
    });

  test('rows come as they are printed, the first left out, and what they show is ranked', async () => {
    const all = collector();
    const times: number[] = [];
    await watchEsxtop(
      host,
      {
        hostName: 'esx1',
        everyS: 1,
        rows: 2,
        place: (column) => all.place(column),
        onRow(hostMs, values) {
          times.push(hostMs);
          all.row(values);
        },
      },
      new AbortController().signal,
    );
    expect(starts().at(-1)).toMatch(/^\d+ 1 3$/);
    expect(times).toHaveLength(2);
    expect(Math.abs(zoneOf(times[1]!, Date.now()))).toBe(0);
    const sights = rankEsxtop(all.figures());
    expect(
      sights.filter(({ level }) => level > 0).map(({ kind, subject }) => [kind, subject]),
    ).toEqual([
      ['queue', 'naa.600a:1 (lab)'],
      ['kernel', 'naa.600a:1 (lab)'],
      ['drops', 'vmnic0'],
      ['ready', 'web: 1 (prod)'],
    ]);
    // 44 % over four vCPUs.
    expect(sights.find(({ kind }) => kind === 'ready')).toMatchObject({ mean: 11, most: 11 });
    expect(left()).toEqual([]);
  });

  test('ended before its time it leaves nothing behind', async () => {
    const stop = new AbortController();
    let rows = 0;
    const watching = watchEsxtop(
      host,
      {
        hostName: 'esx1',
        everyS: 1,
        rows: 500,
        place: () => 0,
        onRow: () => {
          rows += 1;
        },
      },
      stop.signal,
    );
    watching.catch(() => undefined);
    await poll('a row', () => rows > 0);
    expect(left().length).toBeGreaterThan(0);
    stop.abort();
    await expect(watching).rejects.toMatchObject({ kind: 'aborted' });
    await poll('nobody left', () => left().length === 0);
  });

  test('a connection that is lost is told, and esxtop ends with the next row it prints', async () => {
    let rows = 0;
    const watching = watchEsxtop(
      host,
      {
        hostName: 'esx1',
        everyS: 1,
        rows: 500,
        place: () => 0,
        onRow: () => {
          rows += 1;
        },
      },
      new AbortController().signal,
    );
    watching.catch(() => undefined);
    await poll('a row', () => rows > 0);
    await sshd.kill();
    await expect(watching).rejects.toMatchObject({ kind: 'unreachable' });
    await poll('nobody left', () => left().length === 0);
    await sshd.restart();
  });

  test.each([
    ['no esxtop', null, 'notFound', /^There is no esxtop on esx1\.$/],
    [
      'a user that may not',
      'echo "esxtop: Permission denied" >&2; exit 1',
      'conflict',
      /ended with 1 after 0 rows: esxtop: Permission denied/,
    ],
    ['something else of that name', 'echo hello; exit 0', 'conflict', /after 0 rows/],
  ])('%s is said in words', async (_what, program, kind, message) => {
    sshd.setProgram('esxtop', program);
    const watching = watchEsxtop(
      host,
      { hostName: 'esx1', everyS: 1, rows: 1, place: () => 0, onRow: () => undefined },
      new AbortController().signal,
    );
    await expect(watching).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(message) as string,
    });
  });
});
