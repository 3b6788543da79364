import type { Act, ActState } from '../../../../src/core/acts/act.ts';
import type { LabControl } from '../../deps.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';

/** How things stood before an act, by words of its kind: enough to put them back after a crash. */
export type Before = NonNullable<ActState['before']>;

/** One act, and what carries it out. */
export interface ActScene {
  readonly context: RunContext;
  readonly act: Act;
  /** Of the run's vCenter; throws where there is none. */
  session(signal: AbortSignal): Promise<VCenterSession>;
  /** The simulated lab that the run is on; null = it is real. */
  readonly lab: { control: LabControl; id: string } | null;
}

/**
 * How one kind of act is done by the console. Everything may be called again after a restart of the
 * engine; what fails throws, with words.
 */
export interface ActPerformer {
  /** Reads what must be put back. It is stored before anything is changed. */
  before(scene: ActScene, signal: AbortSignal): Promise<Before>;
  /** What must be so before the ramp-up; gives what is to be told of it, in words. */
  prepare?(scene: ActScene, before: Before, signal: AbortSignal): Promise<string>;
  /** Carries it out; gives what came of it, in words. `learn` stores more of what to put back. */
  begin(
    scene: ActScene,
    before: Before,
    signal: AbortSignal,
    learn: (more: Before) => void,
  ): Promise<string>;
  /** Puts things back; fine where they are back already. */
  end(scene: ActScene, before: Before, signal: AbortSignal): Promise<void>;
}
