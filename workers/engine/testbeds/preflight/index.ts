import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import { sortFindings } from '../../../../src/core/plan/checkReport.ts';
import type { CheckFinding, CheckProgress } from '../../../../src/core/plan/plan.ts';
import { actsPossible } from './actChecks.ts';
import { clientBusy, clientClock, clientLeftovers, clientReachable } from './clientChecks.ts';
import { clientDrivers } from './clientDrivers.ts';
import { clustersReady } from './clusterChecks.ts';
import { earlyAbortSound } from './earlyAbortChecks.ts';
import { hostsAlike, hostsReady, powerPolicy } from './hostChecks.ts';
import { hostEsxtop, hostLogins } from './hostLoginChecks.ts';
import { layoutSound } from './layoutChecks.ts';
import { clientIdentity, workloadNames } from './nameChecks.ts';
import { diskSpace, infrastructureTargets, planSound } from './planChecks.ts';
import { powerAnswers } from './powerChecks.ts';
import { scoringPossible } from './scoringChecks.ts';
import { serverLogins } from './serverChecks.ts';
import { smokeRun } from './smokeChecks.ts';
import { storageReady, storageSpace } from './storageChecks.ts';
import { telemetryAnswers } from './telemetryChecks.ts';
import type { Check, CheckContext } from './types.ts';
import { hostClocks, vcenterAnswers, vcenterClock, vcenterPrivileges } from './vcenterChecks.ts';
import { strayVms, vmSnapshots, vmsPlaced, vmsPresent, vmTools } from './vmChecks.ts';

/** Every check, in the order in which findings of one severity are told. */
export const checks = [
  planSound,
  earlyAbortSound,
  actsPossible,
  scoringPossible,
  infrastructureTargets,
  diskSpace,
  clientReachable,
  clientIdentity,
  clientClock,
  clientBusy,
  clientDrivers,
  serverLogins,
  clientLeftovers,
  workloadNames,
  vcenterAnswers,
  vcenterPrivileges,
  vcenterClock,
  vmsPresent,
  vmsPlaced,
  vmTools,
  vmSnapshots,
  strayVms,
  hostsReady,
  hostsAlike,
  powerPolicy,
  hostClocks,
  hostLogins,
  hostEsxtop,
  clustersReady,
  storageReady,
  storageSpace,
  layoutSound,
  telemetryAnswers,
  powerAnswers,
  smokeRun,
] as const satisfies readonly Check[];
export type CheckId = (typeof checks)[number]['id'];

/** How long one check may take unless told. */
const usualCheckMs = 30_000;

export interface Made {
  findings: CheckFinding[];
  checks: { id: string; title: string; tookMs: number }[];
}
export type OnProgress = (
  progress: Pick<CheckProgress, 'done' | 'total' | 'running' | 'findings'>,
) => void;

/**
 * Runs the checks side by side, each with its own time limit. What cannot be checked is a blocking
 * finding; throws `aborted` alone, when the signal fires.
 */
export async function runChecks(
  wanted: readonly Check[],
  context: CheckContext,
  signal: AbortSignal,
  onProgress: OnProgress,
  limitMs = usualCheckMs,
): Promise<Made> {
  const { clock } = context.deps;
  const startedMs = clock.now();
  const running = new Map(wanted.map(({ id, title }) => [id, { id, title, startedMs }]));
  const results = new Map<string, { findings: CheckFinding[]; tookMs: number }>();
  const inOrder = (): CheckFinding[] =>
    sortFindings(reasonOnce(wanted.flatMap(({ id }) => results.get(id)?.findings ?? [])));
  const tell = (): void =>
    onProgress({
      done: results.size,
      total: wanted.length,
      running: [...running.values()],
      findings: inOrder(),
    });
  tell();
  await Promise.all(
    wanted.map(async (check) => {
      const findings = await runCheck(check, context, signal, limitMs);
      running.delete(check.id);
      results.set(check.id, {
        findings: findings.map((finding) => ({ ...finding, checkId: check.id })),
        tookMs: clock.now() - startedMs,
      });
      tell();
    }),
  );
  return {
    findings: inOrder(),
    checks: wanted.map(({ id, title }) => ({ id, title, tookMs: results.get(id)?.tookMs ?? 0 })),
  };
}

const unchecked = 'Not checked: ';

/** A reason that blocks is told once, by its own finding; what waits for it names that. */
function reasonOnce(findings: readonly CheckFinding[]): CheckFinding[] {
  const blocks = new Map(
    findings
      .filter(({ severity }) => severity === 'block')
      .map(({ evidence, subject }) => [`${unchecked}${evidence}`, subject]),
  );
  return findings.map((finding) => {
    const first = blocks.get(finding.evidence);
    return first === undefined
      ? finding
      : { ...finding, evidence: `${unchecked}${first} has to be mended first.` };
  });
}

async function runCheck(
  check: Check,
  context: CheckContext,
  signal: AbortSignal,
  limitMs: number,
): Promise<CheckFinding[]> {
  const about = { id: check.id, title: check.title, subject: check.title };
  if (check.needs === 'vcenter') {
    if (context.inputs.testbed.vcenterId === null) return [];
    const reason = await within(
      context.world.inventory().then(
        () => null,
        (error: unknown) => toAppError(error).message,
      ),
      signal,
      limitMs,
    ).catch((error: unknown) => {
      signal.throwIfAborted();
      return toAppError(error).message;
    });
    if (reason !== null) return [{ ...about, severity: 'info', evidence: `${unchecked}${reason}` }];
  }
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await within(check.run(context, AbortSignal.any([signal, limit])), signal, limitMs);
  } catch (error) {
    if (signal.aborted) throw fail('aborted', 'The check was cancelled.');
    const { message, hint } = toAppError(error);
    return [
      {
        ...about,
        severity: 'block',
        evidence: message,
        fix: hint ?? 'See whether what it reads answers in time, then make this check again.',
      },
    ];
  }
}

/**
 * The result, or `aborted` or `timedOut` as soon as that is known, whether or not the work listens
 * to its signal.
 */
async function within<T>(work: Promise<T>, signal: AbortSignal, limitMs: number): Promise<T> {
  const limit = AbortSignal.timeout(limitMs);
  const ends = AbortSignal.any([signal, limit]);
  let stop = (): void => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    stop = () =>
      reject(
        limit.aborted
          ? fail('timedOut', `No answer within ${limitMs / 1_000} s.`)
          : fail('aborted', 'The check was cancelled.'),
      );
    if (ends.aborted) stop();
    else ends.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    ends.removeEventListener('abort', stop);
    // A refusal nobody waits for any more.
    over.catch(() => undefined);
    work.catch(() => undefined);
  }
}
