import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import { settleFindings } from '../../../../src/core/plan/checkReport.ts';
import type { CheckReport, Plan } from '../../../../src/core/plan/plan.ts';
import { placeInTestbed } from '../../../../src/core/testbed/testbed.ts';
import type { Emit } from '../../../../src/wire/contract.ts';
import type { Peers } from '../../connections/peers.ts';
import type { Database } from '../../db/types.ts';
import type { Deps } from '../../deps.ts';
import { launchHash, type LaunchInputs } from '../../plans/hash.ts';
import { type WorkloadUnit, workloadUnits } from '../../runs/series.ts';
import type { CheckBook } from './book.ts';
import { type CheckId, checks, type Made, type OnProgress, runChecks } from './index.ts';
import { factsDigest, type LaunchFact, launchFacts, replaceFacts } from './launchFacts.ts';
import { atOf } from './places.ts';
import { createWorld, type World } from './world.ts';

export interface CheckerOptions {
  deps: Deps;
  db: Database;
  peers: Peers;
  emit: Emit;
  book: CheckBook;
  inputs: (planId: string) => LaunchInputs;
  /** How long one check may take; default 30 s. */
  checkMs?: number;
}

/** Checks plans by the id they are asked for, and puts each report into the book. */
export interface Checker {
  /** Every check; progress is told as `check.changed`. */
  checkAll(id: string, signal: AbortSignal): Promise<CheckReport>;
  /**
   * One check anew within the last report. Throws conflict where that is not of the plan as it is
   * now, notFound for an unknown check.
   */
  checkOne(id: string, checkId: string, signal: AbortSignal): Promise<CheckReport>;
  /**
   * The last report as the plan's waivers now have it; nothing is read again, only the hash is of
   * the saved plan.
   */
  rejudge(id: string, plan: Plan): CheckReport;
}

/** null facts: the inventory could not be read. */
type MadeWithFacts = Made & { facts: LaunchFact[] | null };
/** What becomes a report. */
interface Judged extends Made {
  facts: readonly LaunchFact[] | null;
  atMs: number;
}

export function createChecker(options: CheckerOptions): Checker {
  const { deps, emit, book, inputs } = options;
  let rev = 0;

  const settle = (id: string, input: LaunchInputs, judged: Judged): CheckReport => {
    const report: CheckReport = {
      planId: input.plan.id,
      hash: launchHash(input),
      atMs: judged.atMs,
      checks: judged.checks,
      snapshotDigest: judged.facts === null ? null : factsDigest(judged.facts),
      ...settleFindings(judged.findings, input.plan.waivers ?? []),
    };
    book.put(id, { report, facts: judged.facts });
    rev += 1;
    emit('check.changed', {
      planId: id,
      rev,
      done: judged.checks.length,
      total: judged.checks.length,
      running: [],
      findings: report.findings,
      report,
    });
    return report;
  };

  return {
    async checkAll(id, signal) {
      const input = inputs(id);
      const made = await makeChecks(options, id, input, checks, signal, (progress) => {
        rev += 1;
        emit('check.changed', { planId: id, rev, ...progress, report: null });
      });
      return settle(id, input, { ...made, atMs: deps.clock.now() });
    },
    async checkOne(id, checkId, signal) {
      const input = inputs(id);
      const before = book.get(id);
      if (before?.report.hash !== launchHash(input))
        throw fail(
          'conflict',
          'There is no check of the plan as it is now.',
          'Check the whole plan.',
        );
      const wanted = checks.find((one) => one.id === checkId);
      if (wanted === undefined)
        throw fail('notFound', `There is no check ${checkId}.`, 'Check the whole plan.');
      const made = await makeChecks(options, id, input, [wanted], signal, () => undefined);
      const facts =
        before.facts && made.facts
          ? replaceFacts(before.facts, made.facts, wanted.id)
          : (before.facts ?? made.facts);
      return settle(id, input, {
        ...withCheck(before.report, checkId, made),
        facts,
        atMs: before.report.atMs,
      });
    },
    rejudge(id, plan) {
      const { report, facts } = book.get(id)!;
      const { findings, checks: made = [], atMs } = report;
      return settle(id, { ...inputs(id), plan }, { findings, checks: made, facts, atMs });
    },
  };
}

async function makeChecks(
  { deps, db, peers, book, checkMs }: CheckerOptions,
  id: string,
  input: LaunchInputs,
  wanted: readonly (typeof checks)[number][],
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<MadeWithFacts> {
  let units: WorkloadUnit[];
  try {
    units = workloadUnits(input.profile, input.testbed, input.plan);
  } catch (error) {
    return { ...unitsMissing(error, wanted[0]?.id ?? 'plan.sound', input), facts: null };
  }
  const world = createWorld({ db, peers, inputs: input, units, signal });
  const find = (connectionId: string) => db.connections.get(connectionId);
  const context = {
    deps,
    db,
    peers,
    inputs: input,
    units,
    world,
    find,
    nameOf: (connectionId: string) => find(connectionId)?.name ?? connectionId,
    smokeRunId: book.smokeRun(id),
  };
  const made = await runChecks(wanted, context, signal, onProgress, checkMs);
  return { ...made, facts: await factsOf(input, units, world) };
}

/** Of a plan whose testbed does not give its workloads: no check can be made, and it blocks. */
function unitsMissing(error: unknown, checkId: CheckId, inputs: LaunchInputs): Made {
  const { message, hint, details } = toAppError(error);
  const place = placeInTestbed.safeParse(details).data;
  return {
    checks: [{ id: checkId, title: 'The plan', tookMs: 0 }],
    findings: [
      {
        id: 'plan.testbed',
        checkId,
        severity: 'block',
        waivable: false,
        title: 'Testbed',
        subject: 'testbed',
        source: 'plan and testbed',
        evidence: message,
        fix: hint ?? 'Correct the testbed.',
        ...(place === undefined ? {} : atOf(inputs, place)),
      },
    ],
  };
}

/** A report with one check made anew. The order of the checks stays. */
function withCheck(report: CheckReport, checkId: string, made: Made): Made {
  const rank = new Map<string | undefined, number>(checks.map((one, i) => [one.id, i]));
  const rankOf = (id: string | undefined): number => rank.get(id) ?? 0;
  const times = new Map(made.checks.map((one) => [one.id, one]));
  return {
    findings: [
      ...report.findings.filter((finding) => finding.checkId !== checkId),
      ...made.findings,
    ].sort((a, b) => rankOf(a.checkId) - rankOf(b.checkId)),
    checks: (report.checks ?? []).map((one) => times.get(one.id) ?? one),
  };
}

/**
 * What the launch will compare. Null where the testbed has no vCenter, or it did not answer: then
 * the report blocks.
 */
async function factsOf(
  input: LaunchInputs,
  units: readonly WorkloadUnit[],
  world: World,
): Promise<LaunchFact[] | null> {
  if (input.testbed.vcenterId === null) return null;
  return world.inventory().then(
    (inventory) => launchFacts(input, units, inventory),
    () => null,
  );
}
