import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { poll } from '../../../e2e/lab/poll.ts';
import { listProcesses, processesWith, signalAll } from '../../../e2e/lab/processes.ts';
import type { LabSshd } from '../../../e2e/lab/sshd.ts';
import type { JobHandle, SshHost } from '../deps/ssh.ts';
import { createBench, edgeWith, follow, hopOf, targetOf } from './testing/peer.ts';

/** Live members of the job's group, and whoever carries its mark. */
const left = (job: JobHandle): number[] => [
  ...listProcesses()
    .filter((p) => p.group === job.pgid && p.state !== 'Z')
    .map((p) => p.pid),
  ...processesWith('TILEBENCH_JOB', `${job.dir}/`),
];

describe('remote jobs against sshd', () => {
  const bench = createBench();
  let sshd: LabSshd;
  let host: SshHost;
  let serial = 0;
  beforeAll(async () => {
    sshd = await bench.sshd();
    host = bench.host(targetOf(hopOf(sshd)));
  });
  afterAll(() => bench.cleanUp());
  const start = (command: string, timeLimitS = 600, runId = 'run1'): Promise<JobHandle> => {
    serial += 1;
    return host.startJob({ runId, jobId: `job${serial}`, command, timeLimitS });
  };

  test('starts, is followed to its end, and keeps its files', async () => {
    const before = Date.now();
    const job = await start('printf "a\\0b\\377\\n"; echo "say \'hi\'" >&2; pwd; exit 7');
    // The client's clock is this machine's; it may tell whole seconds.
    expect(job.startMs).toBeGreaterThan(before - 1_000);
    expect(job.startMs).toBeLessThanOrEqual(Date.now());
    const followed = follow(host, job);
    expect(await followed.end).toEqual({
      exitCode: 7,
      signal: null,
      bytes: 5 + job.dir.length + 1,
      stderrTail: "say 'hi'\n",
      ranMs: expect.any(Number),
    });
    expect(followed.bytes()).toEqual(
      Buffer.concat([Buffer.from([97, 0, 98, 255, 10]), Buffer.from(`${job.dir}\n`)]),
    );
    expect(await host.readJobFile(job, 'command', 1_000)).toContain('exit 7');
    expect(await host.readJobFile(job, 'stderr', 4)).toBe("hi'\n");
    expect(await host.jobStatus(job)).toMatchObject({
      running: false,
      end: { exitCode: 7 },
      stdoutBytes: 5 + job.dir.length + 1,
    });
    expect(left(job)).toEqual([]);
  });

  test('a second start finds the first, from another engine as well', async () => {
    const job = await start('echo once; sleep 30');
    const again = bench.host(targetOf(hopOf(sshd)));
    const spec = { runId: 'run1', jobId: job.jobId, command: 'echo twice', timeLimitS: 600 };
    expect(await Promise.all([host.startJob(spec), again.startJob(spec)])).toEqual([job, job]);
    expect(processesWith('TILEBENCH_JOB', `${job.dir}/`).length).toBeGreaterThan(0);
    await poll('its word', async () => (await host.readJobFile(job, 'stdout', 100)) !== '');
    await host.endJob(job, 1_000);
    expect(await host.readJobFile(job, 'stdout', 100)).toBe('once\n');
  });

  test('two first starts at once make one job', async () => {
    const spec = {
      runId: 'run1',
      jobId: 'twins',
      command: 'echo $$ >>../twins.txt; sleep 30',
      timeLimitS: 600,
    };
    const [one, two] = await Promise.all([host.startJob(spec), host.startJob(spec)]);
    expect(two).toEqual(one);
    const twins = async (): Promise<string> =>
      (await host.exec(`cat ${one.dir}/../twins.txt`)).stdout.trim();
    await poll('the word of one', async () => (await twins()) !== '');
    await host.endJob(one, 1_000);
    expect((await twins()).split('\n')).toHaveLength(1);
  });

  test('the command is in no process list', async () => {
    const job = await start('sleep 30; : topsecret-word');
    const lines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => {
        try {
          return readFileSync(`/proc/${name}/cmdline`, 'latin1');
        } catch (thrown) {
          return String(thrown);
        }
      });
    expect(lines.filter((line) => line.includes('topsecret-word'))).toEqual([]);
    await host.endJob(job, 1_000);
  });

  test('a fresh edge reads on from an offset', async () => {
    const job = await start('seq 1 20000; sleep 0.3; seq 20001 40000');
    const whole = Buffer.from(Array.from({ length: 40_000 }, (_, i) => `${i + 1}\n`).join(''));
    const first = follow(host, job);
    await poll('first bytes', () => first.bytes().length > 0);
    first.stop();
    await expect(first.end).rejects.toMatchObject({ kind: 'aborted' });
    const offset = first.bytes().length;
    const second = follow(bench.host(targetOf(hopOf(sshd))), job, offset);
    expect(await second.end).toMatchObject({ exitCode: 0, bytes: whole.length });
    expect(Buffer.concat([first.bytes(), second.bytes()]).equals(whole)).toBe(true);
    // Nothing to read any more is an end as well, and one byte too far is not.
    expect(await follow(host, job, whole.length).end).toMatchObject({ bytes: whole.length });
    await expect(follow(host, job, whole.length + 1).end).rejects.toMatchObject({
      kind: 'notFound',
    });
  });

  test('ends a whole group gracefully, so that the command can print its last words', async () => {
    const job = await start(
      'trap "echo last words; exit 5" TERM; echo ready; sleep 100 & wait; sleep 1',
    );
    const followed = follow(host, job);
    await poll('the command is ready', () => followed.bytes().includes('ready'));
    await host.endJob(job, 3_000);
    const end = await followed.end;
    expect(followed.bytes().toString()).toBe('ready\nlast words\n');
    expect(end.exitCode).toBe(5);
    expect(left(job)).toEqual([]);
    await host.endJob(job, 1_000);
  });

  test('kills what ignores TERM, and what made a session of its own', async () => {
    const job = await start(
      'trap "" TERM; setsid sh -c "trap \\"\\" TERM; sleep 101; sleep 102" & (sleep 103 & sleep 104) & while :; do sleep 105; done',
    );
    await poll('five processes', () => left(job).length >= 5);
    await host.endJob(job, 300);
    expect(left(job)).toEqual([]);
    expect(await host.jobStatus(job)).toMatchObject({
      running: false,
      end: { exitCode: 137, signal: 'SIGKILL' },
    });
  });

  test('a command that ends leaves no background process', async () => {
    const job = await start('sleep 106 & setsid sleep 107 & echo done');
    expect(await follow(host, job).end).toMatchObject({ exitCode: 0 });
    await poll('nothing left', () => left(job).length === 0);
  });

  test('the time limit ends a job with nobody connected', async () => {
    const own = bench.host(targetOf(hopOf(sshd)));
    const job = await own.startJob({
      runId: 'run1',
      jobId: 'limited',
      command: 'setsid sleep 108 & trap "" TERM; sleep 109',
      timeLimitS: 1,
    });
    own.close();
    await poll('the job has ended itself', () => left(job).length === 0);
    const end = await follow(host, job).end;
    expect(end.stderrTail).toContain('ended by its own time limit');
    expect(end.exitCode).toBeGreaterThan(128);
    // It had its time, and its sleeps were not over.
    expect(end.ranMs).toBeGreaterThanOrEqual(900);
    expect(end.ranMs).toBeLessThan(108_000);
  });

  test('the time limit holds even when the supervisor was killed', async () => {
    // The job kills it itself, once its start was told: before, it would not have started.
    const job = await start(
      'until [ -e told ]; do sleep 0.1; done; kill -s KILL "$(cat supervisor)" && echo killed; sleep 110',
      20,
    );
    await host.exec(`touch ${job.dir}/told`);
    await poll('the job has been ended', () => left(job).length === 0);
    const followed = follow(host, job);
    expect(await followed.end).toMatchObject({ exitCode: 137 });
    expect(followed.bytes().toString()).toBe('killed\n');
  });

  test('a job whose processes were all killed ends without an exit code', async () => {
    const job = await start('echo before; sleep 111');
    const followed = follow(host, job);
    await poll('first bytes', () => followed.bytes().length > 0);
    signalAll(left(job), 'SIGKILL');
    const end = await followed.end;
    expect(end).toMatchObject({ exitCode: null, signal: 'SIGKILL', bytes: 7 });
    expect(end.stderrTail).toContain('killed from outside');
  });

  test('a client that was restarted is told from a killed job', async () => {
    const job = await start('sleep 112');
    await host.exec(`echo other-boot >${job.dir}/boot`);
    expect(await follow(host, job).end).toMatchObject({ exitCode: null, signal: 'rebooted' });
  });

  test('a directory that is gone is notFound, before and while following', async () => {
    const job = await start('sleep 113', 60, 'gone');
    const followed = follow(host, job);
    await poll('the job runs', async () => (await host.jobStatus(job)).running);
    rmSync(job.dir, { recursive: true });
    await expect(followed.end).rejects.toMatchObject({ kind: 'notFound' });
    await expect(follow(host, job).end).rejects.toMatchObject({ kind: 'notFound' });
    await host.cleanRun('gone');
    expect(left(job)).toEqual([]);
  });

  test('cleanRun ends a run and nothing else, here and on another client of this machine', async () => {
    const other = await bench.sshd();
    const otherHost = bench.host(targetOf(hopOf(other)));
    const mine = await Promise.all(
      ['a', 'b'].map((jobId) =>
        host.startJob({
          runId: 'clean',
          jobId,
          command: 'trap "" TERM; setsid sleep 114 & sleep 115',
          timeLimitS: 600,
        }),
      ),
    );
    const neighbour = await start('sleep 116', 60, 'clean2');
    const elsewhere = await otherHost.startJob({
      runId: 'clean',
      jobId: 'a',
      command: 'sleep 117',
      timeLimitS: 600,
    });
    await host.cleanRun('clean');
    expect(mine.flatMap(left)).toEqual([]);
    expect(readdirSync(join(sshd.home, '.tilebench'))).not.toContain('clean');
    expect(await host.jobStatus(neighbour)).toMatchObject({ running: true });
    expect(await otherHost.jobStatus(elsewhere)).toMatchObject({ running: true });
    await host.cleanRun('clean');
    await host.cleanRun('clean2');
    await otherHost.cleanRun('clean');
    expect([...left(neighbour), ...left(elsewhere)]).toEqual([]);
  });

  test('120 jobs on one client stay within the limits of a default sshd', async () => {
    const logged = sshd.log().length;
    const jobs = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        host.startJob({
          runId: 'many',
          jobId: `j${i}`,
          command: `i=0; while [ $i -lt 3 ]; do echo "${i} $i"; i=$((i+1)); sleep 1; done`,
          timeLimitS: 600,
        }),
      ),
    );
    const followed = jobs.map((job) => follow(host, job));
    const ends = await Promise.all(followed.map((f) => f.end));
    expect(ends.every((end) => end.exitCode === 0)).toBe(true);
    followed.forEach((f, i) => expect(f.bytes().toString()).toBe(`${i} 0\n${i} 1\n${i} 2\n`));
    expect(followed.flatMap((f) => f.links)).toEqual([]);
    const log = sshd.log().slice(logged);
    // Two connections at the most, each of the default ten sessions; a job takes one to start, and
    // what it prints is read with others'.
    expect(log.match(/Starting session/g)?.length).toBeGreaterThanOrEqual(120);
    expect(log.match(/Accepted publickey/g)?.length ?? 0).toBeLessThanOrEqual(2);
    expect(log).not.toMatch(/drop connection/);
    await host.cleanRun('many');
    expect(jobs.flatMap(left)).toEqual([]);
  });

  test('a server with fewer sessions is served with fewer channels', async () => {
    const tight = await bench.sshd({ maxSessions: 2 });
    const own = bench.host(targetOf(hopOf(tight)));
    const results = await Promise.all(Array.from({ length: 12 }, (_, i) => own.exec(`echo ${i}`)));
    expect(results.map((r) => r.stdout)).toEqual(Array.from({ length: 12 }, (_, i) => `${i}\n`));
  });

  test('many engines that connect at once all get in past MaxStartups', async () => {
    const edge = edgeWith();
    const hosts = Array.from({ length: 24 }, () => bench.host(targetOf(hopOf(sshd)), edge));
    expect(
      (await Promise.all(hosts.map((h) => h.exec('echo in')))).every((r) => r.stdout === 'in\n'),
    ).toBe(true);
  });

  test('ids that could leave their directory are refused', async () => {
    await expect(
      host.startJob({ runId: '../x', jobId: 'a', command: 'true', timeLimitS: 1 }),
    ).rejects.toMatchObject({ kind: 'invalidInput' });
    await expect(host.cleanRun('..')).rejects.toMatchObject({ kind: 'invalidInput' });
  });

  test('an aborted or late command leaves nothing behind, and too much output is refused', async () => {
    const abort = new AbortController();
    // Told by this process's number from those of other runs of these tests.
    const [one, two] = [`118.${process.pid}`, `119.${process.pid}`];
    const running = host.exec(`sleep ${one} & sleep ${two}; echo never`, { signal: abort.signal });
    const sleeping = (): boolean =>
      listProcesses().some(
        (p) => [`sleep\0${one}\0`, `sleep\0${two}\0`].includes(cmdline(p.pid)) && p.state !== 'Z',
      );
    await poll('the command runs', sleeping);
    abort.abort();
    await expect(running).rejects.toMatchObject({ kind: 'aborted' });
    await poll('the command is gone', () => !sleeping());
    await expect(host.exec(`sleep ${one}`, { timeoutMs: 300 })).rejects.toMatchObject({
      kind: 'timedOut',
    });
    await poll('the command is gone', () => !sleeping());
    await expect(host.exec('yes', { maxBytes: 100_000 })).rejects.toMatchObject({
      kind: 'invalidInput',
    });
    await expect(
      host.exec('cat; printf "\\344\\303\\244"', { stdin: 'ü'.repeat(200_000), maxBytes: 500_000 }),
    ).resolves.toMatchObject({ code: 0, stdout: `${'ü'.repeat(200_000)}\ufffdä` });
  });

  test('a clock 90 s off is measured within the error it names, and jobs carry it', async () => {
    const skewed = await bench.sshd({ clockOffsetS: 90 });
    const own = bench.host(targetOf(hopOf(skewed)));
    const offset = await own.clockOffset();
    expect(Math.abs(offset.offsetMs - 90_000)).toBeLessThanOrEqual(offset.errorMs + 1);
    const near = await host.clockOffset();
    expect(Math.abs(near.offsetMs)).toBeLessThanOrEqual(near.errorMs + 1);
    // The client tells whole seconds.
    const theirs = (): number => Date.now() + 90_000;
    const beforeMs = theirs() - 1_000 - offset.errorMs;
    const job = await own.startJob({
      runId: 'skew',
      jobId: 'a',
      command: 'date +%s',
      timeLimitS: 600,
    });
    const followed = follow(own, job);
    await followed.end;
    const afterMs = theirs() + offset.errorMs;
    for (const atMs of [Number(followed.bytes().toString()) * 1_000, job.startMs]) {
      expect(atMs).toBeGreaterThan(beforeMs);
      expect(atMs).toBeLessThan(afterMs);
    }
  });
});

function cmdline(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch (thrown) {
    return String(thrown);
  }
}
