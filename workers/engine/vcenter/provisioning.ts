import { AppError, fail } from '../../../src/core/base/errors.ts';
import type { VCenterSession } from '../deps/vcenter.ts';
import type { Core } from './core.ts';
import { decodeName } from './names.ts';
import { connectNetwork } from './network.ts';
import { readObject, readObjects } from './properties.ts';
import { element, faultName, type MoRef, refOf, returned } from './soap.ts';
import { cancelTask, followTask, runTask } from './tasks.ts';
import { child, numberOf, textOf } from './xml.ts';

type Provisioning = Pick<
  VCenterSession,
  | 'followTask'
  | 'cancelTask'
  | 'vmMark'
  | 'vmStorage'
  | 'connectNetwork'
  | 'makeFolder'
  | 'removeEmptyFolder'
>;

const vm = (id: string): MoRef => ({ type: 'VirtualMachine', id });
const folder = (id: string): MoRef => ({ type: 'Folder', id });
/** Compute resource, host folder, folders around it: no inventory is deeper than this. */
const deepest = 30;

/** The datacenter a host belongs to. */
async function datacenterOf(core: Core, hostRef: string, signal?: AbortSignal): Promise<MoRef> {
  let at: MoRef = { type: 'HostSystem', id: hostRef };
  for (let level = 0; level < deepest; level += 1) {
    const { props } = await readObject(core, at, ['parent'], signal);
    const parent = refOf(props.get('parent'));
    if (!parent) break;
    if (parent.type === 'Datacenter') return parent;
    at = parent;
  }
  throw fail(
    'notFound',
    `The datacenter of host ${hostRef} on vCenter ${core.connection.name} is not visible.`,
    'Give the vCenter user read access to the datacenter, as docs/vcenter-role.md says.',
  );
}

async function childOfName(
  core: Core,
  parent: MoRef,
  name: string,
  signal?: AbortSignal,
): Promise<MoRef | null> {
  const { props } = await readObject(core, parent, ['childEntity'], signal);
  const folders = (props.get('childEntity')?.children ?? []).flatMap((node) => {
    const ref = refOf(node);
    return ref?.type === 'Folder' ? [ref] : [];
  });
  const named = await readObjects(core, folders, { Folder: ['name'] }, signal);
  return named.find((one) => decodeName(textOf(one.props.get('name')) ?? '') === name)?.ref ?? null;
}

/** The folder of that name among the VM folders of the host's datacenter, made where it is not. */
async function makeFolder(
  core: Core,
  name: string,
  hostRef: string,
  signal?: AbortSignal,
): Promise<{ ref: string; made: boolean }> {
  const root = await core.withLogin(async () => {
    const datacenter = await datacenterOf(core, hostRef, signal);
    const { props } = await readObject(core, datacenter, ['vmFolder'], signal);
    return refOf(props.get('vmFolder'));
  }, signal);
  if (!root)
    throw fail(
      'notFound',
      `The VM folder of the datacenter of host ${hostRef} is not visible.`,
      'Give the vCenter user read access to it, as docs/vcenter-role.md says.',
    );
  const find = (): Promise<MoRef | null> =>
    core.withLogin(() => childOfName(core, root, name, signal), signal);
  const there = await find();
  if (there) return { ref: there.id, made: false };
  try {
    const args = element('name', name);
    const answer = await core.withLogin(
      () => core.call('CreateFolder', root, args, { signal, repeatable: false }),
      signal,
    );
    const made = refOf(returned(answer)[0]);
    if (made) return { ref: made.id, made: true };
  } catch (error) {
    // Somebody was quicker.
    if (faultName(error) !== 'DuplicateName') throw error;
  }
  const now = await find();
  if (!now)
    throw fail(
      'internal',
      `The folder ${name} was made, but vCenter ${core.connection.name} does not show it.`,
    );
  return { ref: now.id, made: false };
}

/**
 * What making VMs needs beside cloning them: tasks found again, marks read, a folder of the app's
 * own.
 */
export function createProvisioning(core: Core): Provisioning {
  return {
    async followTask(taskRef, signal, watch) {
      return textOf(await followTask(core, taskRef, signal, watch));
    },
    cancelTask: (taskRef) => cancelTask(core, taskRef),
    async vmMark(vmRef, signal) {
      const { props } = await core.withLogin(
        () =>
          readObject(
            core,
            vm(vmRef),
            ['name', 'parent', 'config.annotation', 'config.extraConfig'],
            signal,
          ),
        signal,
      );
      const options = (props.get('config.extraConfig')?.children ?? []).map(
        (option) =>
          [textOf(child(option, 'key')) ?? '', textOf(child(option, 'value')) ?? ''] as const,
      );
      return {
        name: decodeName(textOf(props.get('name')) ?? vmRef),
        annotation: textOf(props.get('config.annotation')) ?? '',
        extraConfig: Object.fromEntries(options),
        folderRef: textOf(props.get('parent')),
      };
    },
    async vmStorage(vmRef, signal) {
      const { props } = await core.withLogin(
        () => readObject(core, vm(vmRef), ['summary.storage'], signal),
        signal,
      );
      const storage = props.get('summary.storage');
      const usedBytes = numberOf(child(storage, 'committed'));
      const more = numberOf(child(storage, 'uncommitted'));
      return {
        usedBytes,
        growsToBytes: usedBytes === null || more === null ? null : usedBytes + more,
      };
    },
    connectNetwork: (vmRef, networkRef, signal) => connectNetwork(core, vmRef, networkRef, signal),
    makeFolder: (name, hostRef, signal) => makeFolder(core, name, hostRef, signal),
    async removeEmptyFolder(folderRef, signal) {
      try {
        const { props } = await core.withLogin(
          () => readObject(core, folder(folderRef), ['childEntity'], signal),
          signal,
        );
        if ((props.get('childEntity')?.children.length ?? 0) > 0) return false;
      } catch (error) {
        if (error instanceof AppError && error.kind === 'notFound') return false;
        throw error;
      }
      await runTask(core, 'Destroy_Task', folder(folderRef), '', signal);
      return true;
    },
  };
}
