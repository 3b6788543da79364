import { fail } from '../../../src/core/base/errors.ts';
import {
  type LabFault,
  type LabSpec,
  labSpecSchema,
  type LabStatus,
  type LabTarget,
  shownName,
} from '../../../src/core/lab/lab.ts';
import type { LabControl } from '../deps.ts';
import type { VirtualClock } from './clock.ts';
import { refusalOf } from './edges/ssh.ts';
import { createHostedLab, type HostedLab } from './lab.ts';
import type { CreateModel } from './model/types.ts';
import { meterId } from './names.ts';

/**
 * The labs' controls. `labs` is filled by `load`; `keep` is told what to load again at the next
 * start.
 */
export function createLabControl(options: {
  labs: Map<string, HostedLab>;
  clock: VirtualClock;
  createModel: CreateModel;
  keep: (lab: HostedLab) => void;
  /** Is told what not to load any more. */ forget: (labId: string) => void;
}): LabControl {
  const { labs, clock, createModel, keep, forget } = options;
  const listeners = new Set<(status: LabStatus) => void>();

  const status = (): LabStatus => ({
    nowMs: clock.now(),
    ...clock.pace(),
    labs: [...labs.values()].map((lab) => ({
      id: lab.id,
      name: lab.spec.name,
      variant: lab.variant,
      hosts: lab.spec.hosts.length,
      vms: lab.spec.vms.length,
      faults: lab.faults(),
      targets: targetsOf(lab),
    })),
  });
  const tell = (): LabStatus => {
    const now = status();
    for (const listener of [...listeners]) listener(now);
    return now;
  };
  clock.onTick(() => {
    if (listeners.size > 0) tell();
  });
  const required = (labId: string): HostedLab => {
    const lab = labs.get(labId);
    if (!lab)
      throw fail(
        'notFound',
        `There is no simulated lab ${labId}.`,
        labs.size > 0
          ? `Labs are ${[...labs.keys()].join(', ')}.`
          : 'Install a study of the gallery first.',
      );
    return lab;
  };

  return {
    status,
    setPace(pace) {
      clock.setPace(pace);
      return status();
    },
    load(spec) {
      const parsed = parseLab(spec);
      const old = labs.get(spec.id);
      if (old) demandIdle(old);
      const lab = createHostedLab(parsed, clock, createModel);
      labs.set(lab.id, lab);
      keep(lab);
      return tell();
    },
    unload(labId) {
      demandIdle(required(labId));
      labs.delete(labId);
      forget(labId);
      return tell();
    },
    given: (labId) => labs.get(labId)?.given ?? null,
    configure(labId, changes) {
      required(labId).configure(changes);
      tell();
    },
    untilMarkMs: (vcenterHost) =>
      [...labs.values()].find((lab) => `${lab.id}.sim` === vcenterHost)?.untilMarkMs() ?? 0,
    refusalOf: (machineHost, command) => refusalOf(labs, machineHost, command),
    addFault(labId, fault) {
      const lab = required(labId);
      checkFault(lab, fault);
      lab.addFault(fault);
      return tell();
    },
    removeFault(labId, id) {
      required(labId).removeFault(id);
      return tell();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Throws conflict where something runs on the lab. */
function demandIdle(lab: HostedLab): void {
  lab.sync();
  if ([...lab.jobs.values()].some((job) => job.end === null))
    throw fail(
      'conflict',
      `Lab ${lab.spec.name} is in use.`,
      'Wait for the end of the run, or abort it.',
    );
}

/** The spec with its defaults; throws invalidInput with the first place that is wrong. */
function parseLab(spec: unknown): LabSpec {
  const parsed = labSpecSchema.safeParse(spec);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw fail(
    'invalidInput',
    `The lab is not valid: ${issue?.path.join('.') ?? '?'}: ${issue?.message ?? ''}.`,
    'Correct it at that place.',
  );
}

/** Throws invalidInput for a fault that ends before it begins, or hits what the lab has not. */
function checkFault(lab: HostedLab, { kind, targetId, fromS, toS }: LabFault): void {
  if (toS <= fromS)
    throw fail(
      'invalidInput',
      `The fault ends ${toS} s from now, before it begins.`,
      'Give an end after its beginning.',
    );
  if (
    targetId !== '' &&
    kind !== 'driverCrash' &&
    !targetsOf(lab).some((one) => one.id === targetId) &&
    !lab.spec.vms.some((vm) => vm.id === targetId)
  )
    throw fail(
      'invalidInput',
      `Lab ${lab.spec.name} has nothing named ${targetId}.`,
      'Choose one of its hosts, LUNs, uplinks, clients or its meter.',
    );
}

function targetsOf({ id, spec }: HostedLab): LabTarget[] {
  const one = (kind: LabTarget['kind'], targetId: string, name = targetId): LabTarget => ({
    kind,
    id: targetId,
    name,
  });
  return [
    ...spec.hosts.map((host) => one('host', host.id, shownName(host))),
    ...spec.luns.map((lun) => one('lun', lun.id)),
    ...spec.hosts.flatMap((host) =>
      host.uplinks.map((uplink) =>
        one('uplink', `${host.id}/${uplink.id}`, `${shownName(host)} ${uplink.id}`),
      ),
    ),
    ...spec.clients.map((client) => one('client', client.id)),
    one('meter', meterId),
    one('vcenter', 'vcenter', `${id}.sim`),
  ];
}
