import { poll } from '../../../e2e/lab/poll.ts';
import { startTcpProxy } from '../../../e2e/lab/tcpProxy.ts';
import type { JobHandle, SshHost } from '../deps/ssh.ts';
import { createBench, edgeWith, follow, hopOf, quickToDoubt, targetOf } from './testing/peer.ts';

const lines = 250;
/** Numbered lines over some seconds; at the end one knows whether any is missing or twice. */
const counting = `i=0; while [ $i -lt ${lines} ]; do echo "line $i of the job"; i=$((i+1)); sleep 0.02; done`;
const expected = Array.from({ length: lines }, (_, i) => `line ${i} of the job\n`).join('');

describe('faults against sshd', () => {
  const bench = createBench();
  afterAll(() => bench.cleanUp());
  const start = (host: SshHost, jobId: string): Promise<JobHandle> =>
    host.startJob({ runId: 'faults', jobId, command: counting, timeLimitS: 600 });

  test('sshd killed and restarted, twice: no byte lost or repeated', async () => {
    const sshd = await bench.sshd();
    const host = bench.host(targetOf(hopOf(sshd)));
    const job = await start(host, 'killed');
    const followed = follow(host, job);
    for (const round of [1, 2]) {
      const had = followed.bytes().length;
      await poll('bytes arrive', () => followed.bytes().length > had);
      await sshd.kill();
      await poll('the loss is told', () => followed.links.length === 2 * round - 1);
      await sshd.restart();
      await poll('the return is told', () => followed.links.length === 2 * round);
    }
    expect(await followed.end).toMatchObject({ exitCode: 0, bytes: expected.length });
    expect(followed.bytes().toString()).toBe(expected);
    expect(followed.links.map((l) => l.up)).toEqual([false, true, false, true]);
    expect(followed.links[1]?.detail).toContain('reading on from byte');
  });

  test('TCP cut: the job runs on, and is read on from the same byte', async () => {
    const sshd = await bench.sshd();
    const proxy = await startTcpProxy(sshd.port);
    bench.later(() => proxy.stop());
    const host = bench.host(targetOf(hopOf(sshd, { port: proxy.port })));
    const job = await start(host, 'cut');
    const followed = follow(host, job);
    await poll('bytes arrive', () => followed.bytes().length > 0);
    proxy.cut();
    await poll('the loss is told', () => followed.links.length === 1);
    await expect(host.exec('true')).rejects.toMatchObject({ kind: 'unreachable' });
    proxy.heal();
    expect(await followed.end).toMatchObject({ exitCode: 0, bytes: expected.length });
    expect(followed.bytes().toString()).toBe(expected);
    expect(followed.links.map((l) => l.up)).toEqual([false, true]);
  });

  test('a silent network is found by keep-alive, and a job that ended meanwhile is read to its end', async () => {
    const sshd = await bench.sshd();
    const proxy = await startTcpProxy(sshd.port);
    bench.later(() => proxy.stop());
    const host = bench.host(
      targetOf(hopOf(sshd, { port: proxy.port })),
      edgeWith({ limits: quickToDoubt }),
    );
    const direct = bench.host(targetOf(hopOf(sshd)));
    const job = await start(host, 'frozen');
    const followed = follow(host, job);
    await poll('bytes arrive', () => followed.bytes().length > 0);
    proxy.freeze();
    await poll('the loss is told', () => followed.links.at(-1)?.up === false);
    expect(followed.links.at(-1)?.detail).toContain('does not answer');
    await poll('the job has ended', async () => !(await direct.jobStatus(job)).running);
    proxy.heal();
    expect(await followed.end).toMatchObject({ exitCode: 0, bytes: expected.length });
    expect(followed.bytes().toString()).toBe(expected);
  });

  test('a hung client (SIGSTOP of sshd and its sessions) is found by keep-alive', async () => {
    const sshd = await bench.sshd();
    const host = bench.host(targetOf(hopOf(sshd)), edgeWith({ limits: quickToDoubt }));
    const job = await start(host, 'hung');
    const followed = follow(host, job);
    await poll('bytes arrive', () => followed.bytes().length > 0);
    sshd.freeze();
    const waiting = host.exec('true');
    await expect(waiting).rejects.toMatchObject({ kind: 'unreachable' });
    await poll('the loss is told', () => followed.links.at(-1)?.up === false);
    sshd.thaw();
    expect(await followed.end).toMatchObject({ exitCode: 0 });
    expect(followed.bytes().toString()).toBe(expected);
  });

  test('a host key changed during an outage ends the following as untrusted', async () => {
    const sshd = await bench.sshd();
    const host = bench.host(targetOf(hopOf(sshd)));
    const followed = follow(host, await start(host, 'changed'));
    await poll('bytes arrive', () => followed.bytes().length > 0);
    await sshd.changeHostKey();
    await expect(followed.end).rejects.toMatchObject({ kind: 'untrusted' });
    await bench.host(targetOf(hopOf(sshd))).cleanRun('faults');
  });

  test('a lost jump host loses and regains the client behind it', async () => {
    const jump = await bench.sshd();
    const sshd = await bench.sshd();
    const host = bench.host(targetOf(hopOf(jump), hopOf(sshd)));
    const followed = follow(host, await start(host, 'jump'));
    await poll('bytes arrive', () => followed.bytes().length > 0);
    await jump.restart();
    expect(await followed.end).toMatchObject({ exitCode: 0 });
    expect(followed.bytes().toString()).toBe(expected);
    expect(followed.links.map((l) => l.up)).toEqual([false, true]);
  });

  test('a follower that starts while the client is away waits for it', async () => {
    const sshd = await bench.sshd();
    const job = await start(bench.host(targetOf(hopOf(sshd))), 'away');
    const target = targetOf(hopOf(sshd));
    await sshd.kill();
    const followed = follow(bench.host(target), job);
    await poll('the loss is told', () => followed.links.length === 1);
    await sshd.restart();
    expect(await followed.end).toMatchObject({ exitCode: 0 });
    expect(followed.bytes().toString()).toBe(expected);
  });

  test('a slow reader of a large output is not flooded', async () => {
    const sshd = await bench.sshd();
    const host = bench.host(targetOf(hopOf(sshd)));
    const job = await host.startJob({
      runId: 'faults',
      jobId: 'large',
      command: 'head -c 200000000 /dev/zero',
      timeLimitS: 600,
    });
    await poll('the output is there', async () => !(await host.jobStatus(job)).running);
    const baseline = process.memoryUsage().rss;
    let bytes = 0,
      peak = 0;
    const end = await host.followJob(
      job,
      0,
      (chunk) => {
        bytes += chunk.length;
        peak = Math.max(peak, process.memoryUsage().rss);
      },
      () => undefined,
      new AbortController().signal,
    );
    expect(end.bytes).toBe(200_000_000);
    expect(bytes).toBe(200_000_000);
    expect(peak - baseline).toBeLessThan(120_000_000);
    await host.cleanRun('faults');
  });
});
