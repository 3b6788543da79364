import type { TaskFacts } from '../deps/vcenter.ts';
import type { Core } from './core.ts';
import { type ManagedObject, readObjects } from './properties.ts';
import { faultName, idsOf } from './soap.ts';
import { child, numberOf, textOf, type XmlNode } from './xml.ts';

/** Tasks of one VM that are looked at: vCenter keeps the last minutes only. */
const mostTasksOfVm = 20;
const states: readonly TaskFacts['state'][] = ['queued', 'running', 'success', 'error'];

const timeOf = (node: XmlNode | null): number | null => {
  const ms = Date.parse(textOf(node) ?? '');
  return Number.isNaN(ms) ? null : ms;
};

/** TaskInfo → facts; null where its state is not one that vSphere knows. */
export function taskFacts(info: XmlNode | null | undefined): TaskFacts | null {
  const state = states.find((one) => one === textOf(child(info, 'state')));
  const ref = textOf(child(info, 'task')) ?? textOf(child(info, 'key'));
  if (!info || state === undefined || ref === null) return null;
  return {
    ref,
    state,
    chainId: numberOf(child(info, 'eventChainId')),
    entityRef: textOf(child(info, 'entity')),
    operation: textOf(child(info, 'descriptionId')) ?? textOf(child(info, 'name')) ?? '',
    progressPct: numberOf(child(info, 'progress')),
    queuedMs: timeOf(child(info, 'queueTime')),
    startedMs: timeOf(child(info, 'startTime')),
    completedMs: timeOf(child(info, 'completeTime')),
  };
}

const isGone = (error: unknown): boolean => faultName(error) === 'ManagedObjectNotFound';

/**
 * Properties of those that still exist: one that vCenter has forgotten makes it refuse the whole
 * question.
 */
export async function readThere(
  core: Core,
  type: string,
  refs: readonly string[],
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<ManagedObject[]> {
  const ask = (ids: readonly string[]): Promise<ManagedObject[]> =>
    core.withLogin(
      () =>
        readObjects(
          core,
          ids.map((id) => ({ type, id })),
          { [type]: paths },
          signal,
        ),
      signal,
    );
  try {
    return await ask(refs);
  } catch (error) {
    if (!isGone(error)) throw error;
    if (refs.length === 1) return [];
    const half = Math.ceil(refs.length / 2);
    return [
      ...(await readThere(core, type, refs.slice(0, half), paths, signal)),
      ...(await readThere(core, type, refs.slice(half), paths, signal)),
    ];
  }
}

/** One task as it stands; null where vCenter has forgotten it. */
export async function readTask(
  core: Core,
  taskRef: string,
  signal?: AbortSignal,
): Promise<TaskFacts | null> {
  return taskFacts(
    (await readThere(core, 'Task', [taskRef], ['info'], signal))[0]?.props.get('info'),
  );
}

/** Recent tasks of VMs. */
export async function readTasks(
  core: Core,
  vmRefs: readonly string[],
  signal?: AbortSignal,
): Promise<TaskFacts[]> {
  const vms = await readThere(core, 'VirtualMachine', vmRefs, ['recentTask'], signal);
  const refs = [
    ...new Set(vms.flatMap((vm) => idsOf(vm.props.get('recentTask')).slice(-mostTasksOfVm))),
  ];
  return (await readThere(core, 'Task', refs, ['info'], signal)).flatMap(
    (task) => taskFacts(task.props.get('info')) ?? [],
  );
}

/** Where VMs run now; those that are gone are left out. */
export async function readPlacements(
  core: Core,
  vmRefs: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, { hostRef: string | null; poweredOn: boolean }>> {
  const vms = await readThere(core, 'VirtualMachine', vmRefs, ['runtime'], signal);
  return new Map(
    vms.map((vm) => [
      vm.ref.id,
      {
        hostRef: textOf(child(vm.props.get('runtime'), 'host')),
        poweredOn: textOf(child(vm.props.get('runtime'), 'powerState')) === 'poweredOn',
      },
    ]),
  );
}
