import { fail } from '../../../../src/core/base/errors.ts';
import type { LabFault } from '../../../../src/core/lab/lab.ts';
import type { ActPerformer, ActScene } from './types.ts';

/** Longer than any run. */
const foreverS = 10_000_000;

/** A fault of the simulated lab, as an act: there is no call of vCenter for it. */
const asFault = (kind: LabFault['kind'], done: string): ActPerformer => ({
  before: async (scene) => ({ fault: idOf(scene), lab: labOf(scene).id }),
  async begin(scene, before) {
    const { control, id } = labOf(scene);
    control.addFault(id, {
      id: before.fault ?? idOf(scene),
      kind,
      targetId: scene.act.target?.ref ?? '',
      fromS: 0,
      toS: foreverS,
      amount: 1,
    });
    return done;
  },
  async end(scene, before) {
    const { control, id } = labOf(scene);
    control.removeFault(id, before.fault ?? idOf(scene));
  },
});

const idOf = ({ context, act }: ActScene): string => `${context.run.id}.${act.id}`;

function labOf({ lab, act }: ActScene): NonNullable<ActScene['lab']> {
  if (lab === null)
    throw fail(
      'conflict',
      `The console cannot do this on a real lab: ${act.kind}.`,
      'Choose By hand for this act in the plan.',
    );
  return lab;
}

export const hostFails = asFault('hostDown', 'The host is down.');
export const uplinkLost = asFault('uplinkDown', 'The link is down.');
