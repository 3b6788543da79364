import { fail } from '../../../../src/core/base/errors.ts';
import type { LabFault } from '../../../../src/core/lab/lab.ts';
import type { ActPerformer, ActScene } from './types.ts';

/** Longer than any run. */
const foreverS = 10_000_000;

/** What a fault hits, and how much. */
interface FaultOf {
  targetId(act: ActScene['act']): string;
  amount(act: ActScene['act']): number;
}
const usual: FaultOf = { targetId: ({ target }) => target?.ref ?? '', amount: () => 1 };

/** A fault of the simulated lab, as an act. */
const asFault = (
  kind: LabFault['kind'],
  done: string,
  of: Partial<FaultOf> = {},
): ActPerformer => ({
  before: async (scene) => ({ fault: idOf(scene), lab: labOf(scene).id }),
  async begin(scene, before) {
    const { control, id } = labOf(scene);
    const { targetId, amount } = { ...usual, ...of };
    control.addFault(id, {
      id: before.fault ?? idOf(scene),
      kind,
      targetId: targetId(scene.act),
      fromS: 0,
      toS: foreverS,
      amount: amount(scene.act),
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

export const hostFails = asFault('hostDown', 'The host went down.');
export const uplinkLost = asFault('uplinkDown', 'The link went down.');

/** There is no call of vCenter for it: the speed is a property of the network between hosts. */
export const vmotionSpeed = asFault('vmotionSpeed', 'Moves were held to it.', {
  targetId: () => '',
  amount: ({ amount }) => amount ?? 1,
});
/** In the simulated lab an adapter has one port, and with it one path to every array. */
export const labPathLost = asFault('pathLost', 'The path went down.', {
  targetId: ({ target }) => target?.ref.split('/')[0] ?? '',
});
