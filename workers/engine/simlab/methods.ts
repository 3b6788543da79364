import { fail } from '../../../src/core/base/errors.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Deps, LabControl } from '../deps.ts';

type LabMethods = Pick<Handlers, 'lab.status' | 'lab.pace' | 'lab.fault' | 'lab.clearFault'>;

/** The simulated lab's controls; `conflict` in the workspace of the real lab. */
export function labMethods(deps: Deps): LabMethods {
  const lab = (): LabControl => {
    if (deps.lab === null)
      throw fail('conflict', 'This workspace works on the real lab.', 'Open the demo lab first.');
    return deps.lab;
  };
  return {
    'lab.status': async () => lab().status(),
    'lab.pace': async (pace) => lab().setPace(pace),
    'lab.fault': async ({ labId, fault }) => lab().addFault(labId, fault),
    'lab.clearFault': async ({ labId, id }) => lab().removeFault(labId, id),
  };
}

/** Tells the interface what the simulated lab says of itself. Gives the way to stop. */
export function tellLab(deps: Deps, emit: Emit): () => void {
  return deps.lab?.onChange((status) => emit('lab.changed', status)) ?? (() => undefined);
}
