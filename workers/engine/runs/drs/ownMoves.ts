import type { Clock } from '../../deps.ts';
import type { VmEvent } from '../../deps/vcenter.ts';

/** What a run itself does to VMs, so that events of others are told apart. */
export interface OwnMoves {
  /**
   * A task of this run begins to work on a VM; call what is returned when it has ended. `lateMs`:
   * what it did may still be told so much later.
   */
  begin(vmRef: string): (lateMs?: number) => void;
  /** vCenter's chain of a task of this run: all its events carry it. */
  chain(chainId: number | null): void;
  isOurs(event: VmEvent, atMs: number): boolean;
}

/** Names a run's own clones. */
export const ownNamePrefix = (runId: string): string => `tb-${runId}-`;
/**
 * Events may be dated a little before the call was answered, and after the task was seen to end.
 */
const slackMs = 5_000;
const mostSpans = 5_000;

/**
 * `atMs` of `isOurs` is the event's time on the engine's clock. DRS moves a VM also while we could:
 * its own events are never ours.
 */
export function createOwnMoves(clock: Clock, runId: string): OwnMoves {
  let spans: { vmRef: string; fromMs: number; toMs: number }[] = [];
  const chains = new Set<number>();
  return {
    begin(vmRef) {
      const span = { vmRef, fromMs: clock.now() - slackMs, toMs: Infinity };
      spans = [...spans.slice(-mostSpans), span];
      return (lateMs = slackMs) => {
        span.toMs = clock.now() + lateMs;
      };
    },
    chain(chainId) {
      if (chainId !== null) chains.add(chainId);
    },
    isOurs(event, atMs) {
      if (event.type.startsWith('Drs')) return false;
      if (event.vmName?.startsWith(ownNamePrefix(runId))) return true;
      if (event.chainId !== null && chains.has(event.chainId)) return true;
      return spans.some(
        (span) => span.vmRef === event.vmRef && span.fromMs <= atMs && atMs <= span.toMs,
      );
    },
  };
}
