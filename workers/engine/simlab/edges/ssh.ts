import { createHash } from 'node:crypto';

import { fail } from '../../../../src/core/base/errors.ts';
import type { Clock, LabRefusal } from '../../deps.ts';
import type { JobEnd, JobHandle, JobSpec, SshEdge, SshHost, SshTarget } from '../../deps/ssh.ts';
import { type SimJob, startSimJob } from '../jobs.ts';
import type { HostedLab } from '../lab.ts';
import { splitHost } from '../names.ts';
import { simEsxtop } from '../programs/esxtop.ts';
import type { Output } from '../programs/output.ts';
import { notFoundCode, recognise } from '../programs/recognise.ts';
import type { Program } from '../programs/types.ts';
import { execSim, type Machine, pingMs } from './exec.ts';
import { find, type Labs } from './world.ts';

/** How often a follower looks whether a lost machine is back. */
const lookAgainMs = 1_000;

/** A client machine or guest by its address; throws unreachable where there is none. */
function machineOf(labs: Labs, host: string): Machine {
  const { lab, name } = find(labs, host);
  const client = lab.spec.clients.find((one) => one.id === name);
  const vm = lab.shape(name);
  const esx = lab.spec.hosts.find((one) => one.id === name && one.virtual);
  if (!client && !vm && !esx)
    throw fail(
      'unreachable',
      `${host} is neither a client machine nor a VM nor a host of lab ${lab.spec.name}.`,
      'Correct the address in Connections.',
      { step: 'name' },
    );
  const resolveVm = (address: string): string | null => {
    const split = splitHost(address, [lab.id]);
    const id = split?.name ?? address;
    return lab.sync().placement().has(id) ? id : null;
  };
  return {
    lab,
    id: name,
    guest: !client && vm !== undefined,
    host: !client && vm === undefined,
    cores: client?.cores ?? vm?.vcpus ?? 1,
    memoryGb: client?.memoryGb ?? (vm?.memoryMb ?? 1_024) / 1_024,
    resolveVm,
    tripMs(address, tMs) {
      const id = resolveVm(address);
      const place = id === null ? undefined : lab.sync().placement().get(id);
      return place?.poweredOn && !lab.hit('hostDown', place.hostId)
        ? pingMs(lab.spec.seed, address, tMs)
        : null;
    },
  };
}

/** What a command of a load does on a machine. */
function programOn(on: Machine, command: string): Program {
  return recognise(command, {
    spec: on.lab.spec,
    guestVmId: on.guest ? on.id : null,
    resolveVm: on.resolveVm,
    tripMs: (address) => (tMs) => on.tripMs(address, tMs),
  });
}

/** As `LabControl.refusalOf`. */
export function refusalOf(labs: Labs, host: string, command: string): LabRefusal | null {
  if (splitHost(host, labs.keys()) === null) return null;
  const on = machineOf(labs, host);
  const program = programOn(on, command);
  if (program.kind === 'runs') return null;
  return {
    noTwin: program.exitCode === notFoundCode,
    says: program.stderr.trim(),
    kinds: on.lab.spec.workloads.map(({ kind }) => kind),
  };
}

/** SSH to the client machines and guests of all hosted labs. */
export function createSimSsh(labs: Labs, clock: Clock): SshEdge {
  let pgid = 1_000;
  const hostOf = (target: SshTarget): string => target.hops.at(-1)?.host ?? '';

  const machineAt = (host: string): Machine => machineOf(labs, host);
  /** The machine, when it answers. */
  const reach = (target: SshTarget): Machine => {
    const host = hostOf(target);
    const machine = machineAt(host);
    const why = awayBecause(machine);
    if (why)
      throw fail(
        'unreachable',
        `${target.name} (${host}) does not answer: ${why}.`,
        'A fault of the simulated lab, or its power state, keeps it away.',
        { step: 'port' },
      );
    return machine;
  };

  return {
    identify: async (target) => {
      const host = hostOf(target);
      reach(target);
      return {
        kind: 'hostKey',
        fingerprint: `SHA256:${createHash('sha256').update(host).digest('base64').replace(/=+$/, '')}`,
        subject: `ssh-ed25519 of ${host}:22`,
        issuer: null,
        validToMs: null,
        trust: 'trusted',
        expected: null,
      };
    },
    test: async (target) => {
      const { id, lab, guest, host } = reach(target);
      return {
        ok: true,
        steps: [
          {
            step: 'name',
            ok: true,
            detail: `${id} is a ${guest ? 'VM' : host ? 'host' : 'client machine'} of lab ${lab.spec.name}.`,
          },
          { step: 'port', ok: true, detail: 'It answers.' },
          { step: 'pin', ok: true, detail: 'Simulated host key.' },
          { step: 'authentication', ok: true, detail: 'Any key or password is right.' },
          { step: 'permission', ok: true, detail: 'writes and runs in /home/lab/.tilebench' },
        ],
      };
    },
    host: (target) =>
      createSimHost(target, {
        clock,
        reach,
        machineAt: () => machineAt(hostOf(target)),
        stillThere: (lab) => labs.get(lab.id) === lab,
        nextPgid: () => (pgid += 1),
      }),
  };
}

/**
 * When a follower looks next: with each line, or, where time flies, at common moments and at the
 * end.
 */
function wakeMs(job: SimJob, grainMs: number): number {
  const nextMs = job.nextMs();
  return grainMs > 0
    ? Math.min(Math.ceil(nextMs / grainMs) * grainMs, Math.max(nextMs, job.dueMs))
    : nextMs;
}

function awayBecause({ lab, id, guest }: Machine): string | null {
  if (!guest) return lab.hit('hostDown', id) ? 'it is down' : null;
  const place = lab.sync().placement().get(id);
  if (!place?.poweredOn) return 'it is powered off';
  return lab.hit('hostDown', id, place.hostId) ? `its host ${place.hostId} is down` : null;
}

interface SimWorld {
  clock: Clock;
  /** The machine, when it answers; throws unreachable. */
  reach: (target: SshTarget) => Machine;
  machineAt: () => Machine;
  stillThere: (lab: HostedLab) => boolean;
  nextPgid: () => number;
}

function createSimHost(target: SshTarget, world: SimWorld): SshHost {
  const { clock } = world;
  const machine = (): Machine => world.reach(target);
  return {
    exec: async (command) => execSim(command, machine()),
    stream: (command, onBytes, signal) => stream(world, target, command, onBytes, signal),
    clockOffset: async () => {
      const { lab, id } = machine();
      return { offsetMs: lab.clockOffset(id, clock.now()), errorMs: 1 };
    },
    startJob: async (spec) => startJob(world, machine(), spec),
    followJob: (...what) => followJob(world, target, ...what),
    async jobStatus(handle) {
      const job = upToDate(world, target, machine(), handle);
      return { running: job.end === null, end: job.end, stdoutBytes: job.output.bytes };
    },
    async endJob(handle) {
      const on = machine();
      const job = upToDate(world, target, on, handle);
      on.lab.end(job, { exitCode: 143, signal: 'SIGTERM', stderr: '' });
    },
    async readJobFile(handle, name, maxBytes) {
      const job = upToDate(world, target, machine(), handle);
      if (name === 'command') return job.command;
      if (name === 'stderr') return job.end?.stderrTail ?? '';
      let text = '';
      read(job.output, Math.max(0, job.output.bytes - maxBytes), (part) => {
        text += part;
      });
      return text;
    },
    putKit: async () => {
      throw fail(
        'notFound',
        'A simulated machine runs no tilekit.',
        'Choose another driver in the demo lab.',
      );
    },
    putFile: async () => {
      throw fail('conflict', 'A simulated machine keeps no files.');
    },
    dropFiles: async () => undefined,
    async cleanRun(runId) {
      const on = machine();
      on.lab.sync();
      on.lab.dropRun(runId, on.id);
    },
    close: () => undefined,
  };
}

/** esxtop of a host: its head, a first row of zeros at once, then a row as often as it was asked. */
async function stream(
  world: SimWorld,
  target: SshTarget,
  ...[command, onBytes, signal]: Parameters<SshHost['stream']>
): ReturnType<SshHost['stream']> {
  const { clock } = world;
  const { lab, id, host } = world.reach(target);
  const [, everyS, count] = /exec esxtop -b -d (\d+) -n (\d+)$/.exec(command)?.map(Number) ?? [];
  if (!host || everyS === undefined || count === undefined)
    return { code: 127, stderrTail: 'sh: esxtop: not found' };
  const startMs = clock.now();
  const twin = simEsxtop(lab, id);
  const print = (text: string): void => onBytes(Buffer.from(text, 'latin1'));
  print(twin.head);
  let printedMs = startMs - 1_000 * everyS;
  for (let printed = 0; printed < count;) {
    world.reach(target);
    if (!world.stillThere(lab))
      throw fail('unreachable', `The simulated lab of ${target.name} was started anew.`);
    const model = lab.sync();
    for (; printed < count && startMs + printed * everyS * 1_000 <= clock.now(); printed += 1) {
      const toMs = startMs + printed * everyS * 1_000;
      print(twin.row(model, printedMs, toMs, toMs + lab.clockOffset(id, toMs)));
      printedMs = toMs;
    }
    const grainMs = clock.grainMs?.() ?? 0;
    if (printed < count)
      await clock.sleep(
        Math.max(grainMs, startMs + printed * everyS * 1_000 - clock.now()),
        signal,
      );
  }
  return { code: 0, stderrTail: '' };
}

/** The job with everything it has printed by now; throws notFound where it is gone. */
function upToDate(world: SimWorld, target: SshTarget, on: Machine, handle: JobHandle): SimJob {
  const model = on.lab.sync();
  const job = on.lab.jobs.get(`${handle.runId}/${handle.jobId}`);
  if (!job)
    throw fail(
      'notFound',
      `The job directory ${handle.dir} is gone from ${target.name}.`,
      'The simulated lab was started anew: what ran on it ended with it.',
      { client: target.name, dir: handle.dir },
    );
  job.advance(model, world.clock.now());
  return job;
}

function startJob({ clock, nextPgid }: SimWorld, on: Machine, spec: JobSpec): JobHandle {
  const known = on.lab.jobs.get(`${spec.runId}/${spec.jobId}`);
  if (known) return known.handle;
  const model = on.lab.sync();
  const program = programOn(on, spec.command);
  const job = startSimJob({
    spec,
    machine: on.id,
    program,
    model,
    clientId: on.guest ? null : on.id,
    nowMs: clock.now(),
    offsetAt: (tMs) => on.lab.clockOffset(on.id, tMs),
    pgid: nextPgid(),
  });
  on.lab.addJob(job);
  return job.handle;
}

async function followJob(
  world: SimWorld,
  target: SshTarget,
  ...[handle, fromOffset, onBytes, onLink, signal]: Parameters<SshHost['followJob']>
): Promise<JobEnd> {
  const { clock } = world;
  let offset = fromOffset;
  let up = true;
  let on = world.machineAt();
  // What is ended before its time is looked at once more at once.
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  on.lab.jobs.get(`${handle.runId}/${handle.jobId}`)?.onKill(() => ended.abort());
  for (;;) {
    if (!world.stillThere(on.lab)) on = world.machineAt();
    const why = awayBecause(on);
    if ((why === null) !== up) {
      up = why === null;
      onLink(
        up,
        up
          ? `${target.name} is back; reading on from byte ${offset}.`
          : `${target.name} does not answer: ${why}`,
      );
    }
    const job = upToDate(world, target, on, handle);
    if (up) {
      offset = read(job.output, offset, (text, at) => onBytes(Buffer.from(text, 'latin1'), at));
      if (job.end) return job.end;
    }
    const waitMs = up
      ? Math.max(0, wakeMs(job, clock.grainMs?.() ?? 0) - clock.now())
      : lookAgainMs;
    await clock.sleep(waitMs, ended.signal.aborted ? signal : either).catch((error: unknown) => {
      if (signal.aborted || !ended.signal.aborted) throw error;
    });
  }
}

/** Gives what an output has from `fromOffset` on, part by part; the offset of its end. */
function read(
  output: Output,
  fromOffset: number,
  take: (text: string, offset: number) => void,
): number {
  let offset = fromOffset;
  for (let text = output.read(offset); text !== ''; text = output.read(offset)) {
    take(text, offset);
    offset += text.length;
  }
  return offset;
}
