import { counted } from '../../../../src/core/base/counted.ts';
import { AppError, toAppError } from '../../../../src/core/base/errors.ts';
import { ownNamePrefix } from '../drs/ownMoves.ts';
import type { ActPerformer, ActScene } from './types.ts';

/** VMs of the tiles that run, each once. */
const vmsOf = ({ context: { units } }: ActScene): Map<string, string> =>
  new Map(
    units.flatMap(({ assignment: { vm } }) => (vm === null ? [] : [[vm.ref, vm.name] as const])),
  );

/** A snapshot of every VM of the run at once; the snapshots are removed at the end of the act. */
export const snapshotStorm: ActPerformer = {
  before: async () => ({}),
  async begin(scene, _before, signal, learn) {
    const session = await scene.session(signal);
    const { ownMoves, run } = scene.context;
    const failures: string[] = [];
    let made = 0;
    const vms = vmsOf(scene);
    await Promise.all(
      [...vms].map(async ([ref, name]) => {
        const ended = ownMoves.begin(ref);
        try {
          const snapshot = await session.snapshot(
            ref,
            `${ownNamePrefix(run.id)}${scene.act.id}`,
            signal,
          );
          learn({ [`snapshot.${ref}`]: snapshot });
          made += 1;
        } catch (error) {
          failures.push(`${name}: ${toAppError(error).message}`);
        } finally {
          ended();
        }
      }),
    );
    if (made === 0 && failures.length > 0)
      throw new AppError({ kind: 'conflict', message: failures[0]! });
    const text = `${counted(made, 'snapshot')} of ${counted(vms.size, 'VM')}`;
    return failures.length === 0 ? `${text}.` : `${text}; not taken: ${failures[0]}`;
  },
  async end(scene, before, signal) {
    const session = await scene.session(signal);
    const { ownMoves } = scene.context;
    const failures: unknown[] = [];
    await Promise.all(
      Object.entries(before)
        .filter(([key]) => key.startsWith('snapshot.'))
        .map(async ([key, snapshot]) => {
          const ended = ownMoves.begin(key.slice('snapshot.'.length));
          try {
            await session.removeSnapshot(snapshot, signal);
          } catch (error) {
            // Gone already: by this call before a restart, or by somebody else.
            if (toAppError(error).kind !== 'notFound') failures.push(error);
          } finally {
            ended();
          }
        }),
    );
    if (failures.length > 0) throw failures[0];
  },
};
