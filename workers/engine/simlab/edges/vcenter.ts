import { createHash } from 'node:crypto';

import { fail } from '../../../../src/core/base/errors.ts';
import { labVm } from '../../../../src/core/lab/lab.ts';
import type { TestReport } from '../../../../src/wire/contract/connections.ts';
import type { Clock } from '../../deps.ts';
import type { VCenterEdge, VCenterSession, VmMark } from '../../deps/vcenter.ts';
import type { HostedLab } from '../lab.ts';
import { machineHost } from '../names.ts';
import { readSimInventory } from './inventory.ts';
import { readSimPerf } from './perf.ts';
import { createSimVms } from './vms.ts';
import { find, type Labs } from './world.ts';

const powerMs = 4_000;
const snapshotMs = 3_000;
const destroyMs = 2_000;
const progressSteps = 20;
/**
 * A vCenter tells of a long copy every few seconds. Told rarely here, so that virtual time is not
 * held up, but well before anybody takes it for stuck.
 */
const longestSilenceS = 240;

/** Folders and what is written on VMs: kept with the lab, as it outlives a session. */
interface Paper {
  marks: Map<string, VmMark>;
  folders: Map<string, string>;
}
const papers = new WeakMap<HostedLab, Paper>();
function paperOf(lab: HostedLab): Paper {
  const paper = papers.get(lab) ?? {
    marks: new Map<string, VmMark>(),
    folders: new Map<string, string>(),
  };
  papers.set(lab, paper);
  return paper;
}

/** The vCenters of all hosted labs. */
export function createSimVCenter(labs: Labs, clock: Clock): VCenterEdge {
  const answering = (host: string): HostedLab => {
    const { lab, name } = find(labs, host);
    if (name !== '')
      throw fail(
        'unreachable',
        `${host} is no vCenter.`,
        `The vCenter of this lab is ${lab.id}.sim.`,
        { step: 'port' },
      );
    if (lab.hit('vcenterAway', lab.id, 'vcenter'))
      throw fail(
        'unreachable',
        `vCenter ${host} does not answer.`,
        'A fault of the simulated lab keeps it away.',
        { step: 'port' },
      );
    return lab;
  };
  const fingerprint = (host: string): string =>
    (createHash('sha256').update(host).digest('hex').toUpperCase().match(/../g) ?? []).join(':');

  return {
    identify: async ({ host }) => {
      answering(host);
      return {
        kind: 'certificate',
        fingerprint: fingerprint(host),
        subject: `CN=${host}`,
        issuer: 'CN=Simulated lab',
        validToMs: null,
        trust: 'trusted',
        expected: null,
      };
    },
    async test({ host }): Promise<TestReport> {
      const lab = answering(host);
      return {
        ok: true,
        steps: [
          { step: 'name', ok: true, detail: `${host} is the vCenter of lab ${lab.spec.name}.` },
          { step: 'port', ok: true, detail: 'It answers.' },
          { step: 'tls', ok: true, detail: 'Simulated certificate.' },
          { step: 'authentication', ok: true, detail: 'Any password is right.' },
          {
            step: 'permission',
            ok: true,
            detail: `${lab.spec.hosts.length} hosts, ${lab.spec.vms.length} VMs.`,
          },
        ],
      };
    },
    connect: async ({ id, host }) => {
      answering(host);
      return createSession(id, () => answering(host), clock);
    },
  };
}

function createSession(vcenterId: string, lab: () => HostedLab, clock: Clock): VCenterSession {
  const snapshots = new Map<string, string>();
  const vms = createSimVms(lab, clock);
  const tasks = new Map<string, Promise<string>>();
  let made = 0;
  const placed = (ref: string): { on: HostedLab; hostId: string; datastoreId: string } => {
    const on = lab();
    const place = on.sync().placement().get(ref);
    if (!place)
      throw fail(
        'notFound',
        `vCenter ${on.id}.sim has no VM ${ref}.`,
        'Discover the inventory again.',
      );
    return { on, ...place };
  };
  const known = (
    on: HostedLab,
    target: { hostRef?: string; datastoreRef?: string },
  ): { hostId?: string; datastoreId?: string } => {
    if (target.hostRef !== undefined && !on.spec.hosts.some((one) => one.id === target.hostRef))
      throw fail('notFound', `vCenter ${on.id}.sim has no host ${target.hostRef}.`);
    if (
      target.datastoreRef !== undefined &&
      !on.spec.datastores.some((one) => one.id === target.datastoreRef)
    )
      throw fail('notFound', `vCenter ${on.id}.sim has no datastore ${target.datastoreRef}.`);
    return {
      ...(target.hostRef === undefined ? {} : { hostId: target.hostRef }),
      ...(target.datastoreRef === undefined ? {} : { datastoreId: target.datastoreRef }),
    };
  };

  /** Lets a copy take its time, and tells how far it is at least every `everyS`. */
  async function copying(
    seconds: number,
    everyS: number,
    progress: (share: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const startMs = clock.now();
    const steps = Math.max(1, Math.ceil(seconds / everyS));
    for (let step = 1; step <= steps; step += 1) {
      await clock.sleep(
        Math.max(0, startMs + (seconds * 1_000 * step) / steps - clock.now()),
        signal,
      );
      progress(step / steps);
    }
  }

  return {
    ...vms.session,
    clockOffset: async () => {
      lab();
      return { offsetMs: 0, errorMs: 1 };
    },
    hostClocks: async (hostRefs) =>
      hostRefs
        .filter((ref) => !lab().hit('hostDown', ref))
        .map((hostRef) => ({ hostRef, offsetMs: 0, errorMs: 1 })),
    inventory: async () => {
      const on = lab();
      return readSimInventory(
        on,
        on.sync(),
        vcenterId,
        clock.now(),
        snapshots,
        paperOf(on).folders,
      );
    },
    perf: async (providers, sinceMs) => {
      const on = lab();
      return readSimPerf(on, on.sync(), providers, sinceMs, clock.now());
    },
    uplinks: async (hostRefs) =>
      lab()
        .spec.hosts.filter((host) => hostRefs.includes(host.id))
        .flatMap((host) => host.uplinks.map((uplink) => ({ hostRef: host.id, device: uplink.id }))),
    missingPrivileges: async () => {
      lab();
      return [];
    },
    async placement(vmRef) {
      const { hostId, datastoreId, on } = placed(vmRef);
      const poweredOn = on.sync().placement().get(vmRef)?.poweredOn ?? false;
      return {
        hostRef: hostId,
        datastoreRefs: [datastoreId],
        poweredOn,
        ip: poweredOn ? machineHost(on.id, vmRef) : null,
      };
    },
    async relocate(vmRef, target, signal, watch) {
      if (target.hostRef === undefined && target.datastoreRef === undefined)
        throw fail('invalidInput', `${vmRef} cannot be moved without a target host or datastore.`);
      const { on } = placed(vmRef);
      const { seconds } = on.sync().relocate(vmRef, known(on, target));
      await vms.tracked('relocate', vmRef, watch, (progress) =>
        copying(seconds, watch ? longestSilenceS : Infinity, progress, signal),
      );
      lab().sync();
    },
    async clone(vmRef, name, target, signal, watch) {
      const { on, hostId, datastoreId } = placed(vmRef);
      const source = on.shape(vmRef);
      if (!source) throw fail('notFound', `vCenter ${on.id}.sim has no VM ${vmRef}.`);
      if (!labVm.shape.id.safeParse(name).success)
        throw fail(
          'invalidInput',
          `A simulated VM cannot be called ${name}.`,
          'Use letters, digits, dots, hyphens and underscores.',
        );
      if (on.sync().placement().has(name))
        throw fail('conflict', `A VM ${name} exists already.`, 'Choose another name.', {
          fault: 'DuplicateName',
        });
      const { hostRef, datastoreRef, folderRef, annotation = '', extraConfig = {} } = target;
      const to = {
        hostId,
        datastoreId,
        ...known(on, {
          ...(hostRef === undefined ? {} : { hostRef }),
          ...(datastoreRef === undefined ? {} : { datastoreRef }),
        }),
      };
      const { seconds } = on.sync().clone(vmRef, to);
      const copy = async (progress: (share: number) => void): Promise<string> => {
        // One wait where nobody looks: what a run measures does not depend on who watches.
        await copying(
          seconds,
          watch?.onProgress ? seconds / progressSteps : watch ? longestSilenceS : Infinity,
          (share) => {
            progress(share);
            watch?.onProgress?.(Math.round(share * 100));
          },
          signal,
        );
        lab().addVm({ ...source, id: name, ...to, poweredOn: false, template: false });
        paperOf(on).marks.set(name, {
          name,
          annotation,
          extraConfig,
          folderRef: folderRef ?? null,
        });
        return name;
      };
      if (!watch) return copy(() => undefined);
      const taskRef = `task-${(made += 1)}`;
      const task = vms.tracked('clone', vmRef, watch, copy);
      tasks.set(taskRef, task);
      watch.onTask?.(taskRef);
      return task;
    },
    async followTask(taskRef) {
      lab();
      const task = tasks.get(taskRef);
      if (!task) throw fail('notFound', `There is no task ${taskRef}.`);
      return task;
    },
    // The signal that its caller holds ends it.
    cancelTask: async () => {
      lab();
    },
    async vmMark(vmRef) {
      const { on } = placed(vmRef);
      return (
        paperOf(on).marks.get(vmRef) ?? {
          name: vmRef,
          annotation: '',
          extraConfig: {},
          folderRef: null,
        }
      );
    },
    async vmStorage(vmRef) {
      const { on } = placed(vmRef);
      const bytes = (on.shape(vmRef)?.diskGb ?? 10) * 2 ** 30;
      return { usedBytes: bytes, growsToBytes: bytes };
    },
    async connectNetwork(vmRef, networkRef) {
      const { on } = placed(vmRef);
      // A simulated lab has one network: every VM is on it.
      if (networkRef !== 'network-1')
        throw fail('notFound', `vCenter ${on.id}.sim has no network ${networkRef}.`);
    },
    async makeFolder(name) {
      const { folders } = paperOf(lab());
      const there = [...folders].find(([, one]) => one === name);
      if (there) return { ref: there[0], made: false };
      const ref = `folder-${(made += 1)}`;
      folders.set(ref, name);
      return { ref, made: true };
    },
    async removeEmptyFolder(folderRef) {
      const { folders, marks } = paperOf(lab());
      return (
        ![...marks.values()].some((mark) => mark.folderRef === folderRef) &&
        folders.delete(folderRef)
      );
    },
    async power(vmRef, on, signal) {
      if (
        lab()
          .sync()
          .placement()
          .get(placed(vmRef) && vmRef)?.poweredOn === on
      )
        return;
      await clock.sleep(powerMs, signal);
      lab().sync().setPower(vmRef, on);
    },
    async snapshot(vmRef, name, signal) {
      placed(vmRef);
      await clock.sleep(snapshotMs, signal);
      const ref = `snapshot-${(made += 1)}-${name}`;
      snapshots.set(ref, vmRef);
      return ref;
    },
    async removeSnapshot(snapshotRef, signal) {
      if (!snapshots.has(snapshotRef))
        throw fail('notFound', `There is no snapshot ${snapshotRef}.`);
      await clock.sleep(snapshotMs, signal);
      snapshots.delete(snapshotRef);
    },
    async destroy(vmRef, signal) {
      placed(vmRef);
      await clock.sleep(destroyMs, signal);
      lab().removeVm(vmRef);
      paperOf(lab()).marks.delete(vmRef);
    },
    logout: async () => undefined,
  };
}
