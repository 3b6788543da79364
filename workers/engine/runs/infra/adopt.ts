import { toAppError } from '../../../../src/core/base/errors.ts';
import { pause } from '../../clock/jumps.ts';
import type { TaskFacts, VCenterSession } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';
import { isOpen, type VmGuard } from './guard.ts';
import { candidates } from './operations.ts';
import type { Tally } from './tally.ts';

const againMs = 10_000;

/** Where the task of a loop is journalled: `resume.state` is its reference and its VM. */
export const journalKey = (operationId: string, loop: number): string =>
  `infra.${operationId}.${loop}`;

/**
 * What vCenter still does on the VMs of the operations before the first one begins: left by the
 * engine before a restart, or by somebody else. Those VMs are held until their tasks have ended; a
 * task of our own is counted from now on. Resolves when vCenter has answered or the signal fired.
 */
export async function adoptTasks(of: {
  context: RunContext;
  vcenter: (signal: AbortSignal) => Promise<VCenterSession>;
  guard: VmGuard;
  tallies: readonly Tally[];
  signal: AbortSignal;
  resumed: boolean;
}): Promise<void> {
  const {
    context: { run, deps, db, ownMoves },
    vcenter,
    guard,
    tallies,
    signal,
    resumed,
  } = of;
  const refs = [...new Set(tallies.flatMap((tally) => candidates(tally.plan)))];
  if (refs.length === 0) return;
  let open: TaskFacts[] | null = null;
  while (open === null && !signal.aborted) {
    try {
      open = (await (await vcenter(signal)).tasks(refs, signal)).filter(isOpen);
    } catch (error) {
      if (signal.aborted) return;
      run.finding({
        id: 'infra.adopt',
        severity: 'warn',
        text:
          'Infrastructure operations wait: vCenter does not tell which tasks still run ' +
          `(${toAppError(error).message}).`,
      });
      await pause(deps.clock, againMs, signal);
    }
  }
  if (open === null) return;
  const journal = resumed
    ? db.samples.journal(run.id).filter(({ key }) => key.startsWith('infra.'))
    : [];
  let ours = 0;
  for (const task of open) {
    const vmRef = task.entityRef;
    if (vmRef === null) continue;
    const mine = journal.find(({ resume }) => resume.state?.split(' ')[0] === task.ref);
    const tally =
      mine && tallies.find((one) => mine.key.startsWith(`infra.${one.plan.operation.id}.`));
    if (tally) ours += 1;
    const startMs = mine && Number.isFinite(mine.lastTMs) ? mine.lastTMs : deps.clock.now();
    const token = tally?.begin(startMs);
    const ended = tally ? ownMoves.begin(vmRef) : () => undefined;
    guard.hold(vmRef, task.ref, (end) => {
      ended();
      if (!tally || token === undefined) return;
      if (end?.state === 'success')
        tally.done(token, { vmRef, startMs, endMs: deps.clock.now(), attempts: 1, tasks: [end] });
      else
        tally.failed(token, {
          vmRef,
          startMs,
          attempts: 1,
          tasks: end ? [end] : [],
          message: 'its task ended with an error',
          last: true,
        });
    });
  }
  const others = open.length - ours;
  if (open.length > 0) {
    const count = (n: number, whose: string): string =>
      `${n} ${n === 1 ? 'task' : 'tasks'} ${whose}`;
    run.finding({
      id: 'infra.adopt',
      severity: 'info',
      text:
        'vCenter still worked on VMs of the infrastructure operations: ' +
        `${[...(ours > 0 ? [count(ours, 'of this run, begun before the engine was restarted')] : []), ...(others > 0 ? [count(others, 'of somebody else')] : [])].join(', ')}. ` +
        'No second operation was begun on them before the end of the first.',
    });
  } else if (run.overview().findings.some((one) => one.id === 'infra.adopt')) {
    run.finding({
      id: 'infra.adopt',
      severity: 'info',
      text: 'Infrastructure operations waited until vCenter told which tasks run; none did.',
    });
  }
}
