import { counted } from '../../../../src/core/base/counted.ts';
import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import type { AdapterPath } from '../../deps/vcenter.ts';
import { labPathLost } from './labFaults.ts';
import type { ActPerformer, ActScene, Before } from './types.ts';

/** Host and adapter that the act is about, of `<host>/<adapter>`. */
function adapterOf({ act }: ActScene): { hostRef: string; device: string } {
  const [hostRef, device] = act.target?.ref.split('/') ?? [];
  if (!hostRef || !device) throw fail('invalidInput', 'The act names no storage adapter.');
  return { hostRef, device };
}

async function pathsOf(scene: ActScene, signal: AbortSignal): Promise<AdapterPath[]> {
  const { hostRef, device } = adapterOf(scene);
  return (await scene.session(signal)).adapterPaths(hostRef, device, signal);
}

/** Names of the paths that are to be enabled again. */
const stored = (before: Before): string[] => JSON.parse(before.paths ?? '[]') as string[];

/**
 * Every path over a storage adapter of a host is disabled, one by one. Refused where a LUN would be
 * left without a path that carries: then the host would lose it, and its VMs with it.
 */
const onVCenter: ActPerformer = {
  async before(scene, signal) {
    const { device } = adapterOf(scene);
    const paths = (await pathsOf(scene, signal)).filter((one) => one.state !== 'disabled');
    if (paths.length === 0)
      throw fail('conflict', `${device} has no path that could be disabled.`, 'Look at its paths.');
    const alone = paths.filter((one) => one.otherwise === 0);
    if (alone.length > 0)
      throw fail(
        'conflict',
        `${counted(alone.length, 'LUN')} of ${device} ` +
          `${alone.length === 1 ? 'has' : 'have'} no other path that carries: ` +
          `${alone[0]!.name}.`,
        'Choose an adapter whose LUNs have another path.',
      );
    return { paths: JSON.stringify(paths.map((one) => one.name)) };
  },
  async begin(scene, before, signal) {
    const { hostRef, device } = adapterOf(scene);
    const session = await scene.session(signal);
    const names = stored(before);
    for (const name of names) await session.setPath(hostRef, name, false, signal);
    // Asked, not believed: what the host has now.
    const now = (await pathsOf(scene, signal)).filter((one) => names.includes(one.name));
    const left = now.filter((one) => one.state === 'active' || one.state === 'standby');
    const done = `${counted(names.length - left.length, 'path')} over ${device} ${names.length - left.length === 1 ? 'was' : 'were'} disabled`;
    return left.length === 0
      ? `${done}.`
      : `${done}; the host still calls ${left.length} of them ${left[0]!.state}.`;
  },
  async end(scene, before, signal) {
    const { hostRef } = adapterOf(scene);
    const names = stored(before);
    if (names.length === 0) return;
    const session = await scene.session(signal);
    const failures: unknown[] = [];
    for (const path of await pathsOf(scene, signal)) {
      if (!names.includes(path.name) || path.state !== 'disabled') continue;
      try {
        await session.setPath(hostRef, path.name, true, signal);
      } catch (error) {
        // Gone from the host: there is nothing to enable.
        if (toAppError(error).kind !== 'notFound') failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  },
};

/** Of a simulated lab its model loses the path; of a real one the host is told to disable it. */
const by = (scene: ActScene): ActPerformer => (scene.lab === null ? onVCenter : labPathLost);
export const pathLost: ActPerformer = {
  before: (scene, signal) => by(scene).before(scene, signal),
  begin: (scene, before, signal, learn) => by(scene).begin(scene, before, signal, learn),
  end: (scene, before, signal) => by(scene).end(scene, before, signal),
};
