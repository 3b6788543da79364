import { ownStepMs, sayJump } from '../clock/jumps.ts';
import type { Clock, ClockJump } from '../deps.ts';
import type { RunContext } from './context.ts';
import { type ClockWatch } from './context.ts';
import { withDeadline } from './deadline.ts';
import type { LiveRun } from './liveRun.ts';

/**
 * How long reaching all clients again may take before a run that is picked up goes on by the clock
 * as it is.
 */
const realignPatienceMs = 10_000;

/**
 * A clock that is set again and again fills no finding: the newest steps are told, each is an
 * event.
 */
const shownSteps = 3;

/**
 * Holds the clock for a run: notes every jump as an event and a finding, so that no client is
 * blamed for it.
 */
export function watchClock(clock: Clock, run: LiveRun): ClockWatch {
  let excusedUntilMs = clock.now();
  let awayUntilMs = -Infinity;
  let times = 0;
  let awayMs = 0;
  const steps: string[] = [];
  const note = (jump: ClockJump): void => {
    const said = sayJump(jump);
    if (jump.kind === 'stepped') {
      run.event('clock', said, { tMs: jump.atMs });
      steps.push(said);
      const earlier = steps.length > shownSteps ? ` (${steps.length} times in all)` : '';
      run.finding({
        id: 'clock.step',
        severity: 'info',
        text:
          `${steps.slice(-shownSteps).join('. ')}${earlier}. The run kept the time it began ` +
          'with: phases are as long as planned, samples lie where they belong.',
        fix: 'Keep this computer in step with NTP or chrony.',
      });
      return;
    }
    excusedUntilMs = awayUntilMs = jump.toMs;
    times += 1;
    awayMs += jump.toMs - jump.fromMs;
    run.event('clock', said, { tMs: jump.fromMs, untilMs: jump.toMs });
    const more = times > 1 ? ` (${times} times, ${Math.round(awayMs / 1_000)} s in all)` : '';
    run.finding({
      id: 'clock.away',
      severity: 'warn',
      text:
        `${said}${more} during the run. Load went on and its output was read afterwards; power ` +
        'and processors of clients, which are read as they happen, have a gap there, and ' +
        'infrastructure operations paused.',
      fix: 'Keep this computer awake during a run, or run the engine on a machine that does not sleep.',
    });
  };
  const hold = clock.hold?.(note);
  return {
    excusedUntilMs: () => excusedUntilMs,
    awayUntilMs: () => awayUntilMs,
    realign(steppedMs) {
      hold?.realign(steppedMs);
      const nowMs = (excusedUntilMs = clock.now());
      note({ kind: 'stepped', atMs: nowMs, fromMs: nowMs, toMs: nowMs + steppedMs });
    },
    release: () => hold?.release(),
  };
}

/** A watch that sees nothing, for work outside of a run's time. */
export const noClockWatch: ClockWatch = {
  excusedUntilMs: () => -Infinity,
  awayUntilMs: () => -Infinity,
  realign: () => undefined,
  release: () => undefined,
};

/**
 * For a run that another engine began: where the clocks of all its clients moved alike since then,
 * it is this computer's that stepped meanwhile. A client that does not answer in time has no say.
 */
export async function realignClock(context: RunContext): Promise<void> {
  const { run, peers, deps, clockWatch } = context;
  if (!deps.clock.hold) return;
  const changes = await withDeadline(deps.clock, realignPatienceMs, (deadline) => {
    const signal = AbortSignal.any([deadline, context.detached]);
    return Promise.all(
      run.record().clients.map(async ({ id, clockOffsetMs }) => {
        if (clockOffsetMs === null) return [];
        try {
          const { offsetMs } = await (await peers.client(id)).clockOffset(signal);
          return [{ beforeMs: clockOffsetMs, afterMs: offsetMs }];
        } catch (error) {
          deps.log.info('The clock of a client could not be read again', {
            run: run.id,
            client: id,
            error: String(error),
          });
          return [];
        }
      }),
    );
  });
  const steppedMs = ownStepMs(changes.flat());
  if (steppedMs !== 0) clockWatch.realign(steppedMs);
}
