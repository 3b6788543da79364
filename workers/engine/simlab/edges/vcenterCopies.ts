import { fail } from '../../../../src/core/base/errors.ts';
import { labVm } from '../../../../src/core/lab/lab.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
import { known, paperOf, placed, type VCenterWorld } from './vcenterWorld.ts';

const progressSteps = 20;
/**
 * A vCenter tells of a long copy every few seconds. Told rarely here, so that virtual time is not
 * held up, but well before anybody takes it for stuck.
 */
const longestSilenceS = 240;

/** What a session moves and clones. */
export const createSimCopies = (
  world: VCenterWorld,
): Pick<VCenterSession, 'relocate' | 'clone' | 'followTask' | 'cancelTask'> => ({
  async relocate(vmRef, target, signal, watch) {
    if (target.hostRef === undefined && target.datastoreRef === undefined)
      throw fail('invalidInput', `${vmRef} cannot be moved without a target host or datastore.`);
    const { on } = placed(world, vmRef);
    const { seconds } = on.sync().relocate(vmRef, known(on, target));
    await world.vms.tracked('relocate', vmRef, watch, (progress) =>
      copyFor(world, seconds, watch ? longestSilenceS : Infinity, progress, signal),
    );
    world.lab().sync();
  },
  clone: (...what) => clone(world, ...what),
  async followTask(taskRef) {
    world.lab();
    const task = world.tasks.get(taskRef);
    if (!task) throw fail('notFound', `There is no task ${taskRef}.`);
    return task;
  },
  // The signal that its caller holds ends it.
  cancelTask: async () => {
    world.lab();
  },
});

async function clone(
  world: VCenterWorld,
  ...[vmRef, name, target, signal, watch]: Parameters<VCenterSession['clone']>
): Promise<string> {
  const { on, hostId, datastoreId } = placed(world, vmRef);
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
    const everyS = watch?.onProgress ? seconds / progressSteps : watch ? longestSilenceS : Infinity;
    const tell = (share: number): void => {
      progress(share);
      watch?.onProgress?.(Math.round(share * 100));
    };
    await copyFor(world, seconds, everyS, tell, signal);
    world.lab().addVm({ ...source, id: name, ...to, poweredOn: false, template: false });
    paperOf(on).marks.set(name, { name, annotation, extraConfig, folderRef: folderRef ?? null });
    return name;
  };
  if (!watch) return copy(() => undefined);
  const taskRef = `task-${(world.made += 1)}`;
  const task = world.vms.tracked('clone', vmRef, watch, copy);
  world.tasks.set(taskRef, task);
  watch.onTask?.(taskRef);
  return task;
}

/** Lets a copy take its time, and tells how far it is at least every `everyS`. */
async function copyFor(
  { clock }: VCenterWorld,
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
