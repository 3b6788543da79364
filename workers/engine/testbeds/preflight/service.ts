import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import {
  forbiddingText,
  forbidsLaunch,
  settleFindings,
} from '../../../../src/core/plan/checkReport.ts';
import { type CheckReport, findingKey, type Plan } from '../../../../src/core/plan/plan.ts';
import type { Emit, Handlers } from '../../../../src/wire/contract.ts';
import type { Peers } from '../../connections/peers.ts';
import type { Database } from '../../db/types.ts';
import type { Deps } from '../../deps.ts';
import { launchHash, type LaunchInputs } from '../../plans/hash.ts';
import { type WorkloadUnit, workloadUnits } from '../../runs/series.ts';
import type { PlanVariants } from '../../studies/peers.ts';
import type { CheckBook } from './book.ts';
import { checks, type Made, type OnProgress, runChecks } from './index.ts';
import { factsDigest, type LaunchFact, launchFacts, replaceFacts } from './launchFacts.ts';
import { smokeId, smokePlan } from './smokePlan.ts';
import type { Check } from './types.ts';
import { createWorld, type World } from './world.ts';

type Methods = Pick<
  Handlers,
  'plan.check' | 'plan.checkOne' | 'plan.report' | 'plan.waive' | 'plan.smoke'
>;
export interface PreflightOptions {
  deps: Deps;
  db: Database;
  peers: Peers;
  emit: Emit;
  book: CheckBook;
  variants: PlanVariants;
  inputs: (planId: string) => LaunchInputs;
  start: Handlers['run.start'];
}

/** The pre-flight as the contract has it. */
export function preflightMethods(options: PreflightOptions): Methods {
  const { deps, db, peers, emit, book, variants, inputs, start } = options;
  let rev = 0;

  /** Makes the checks; null facts where the inventory could not be read. */
  async function make(
    id: string,
    input: LaunchInputs,
    wanted: readonly Check[],
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<Made & { facts: LaunchFact[] | null }> {
    let units: WorkloadUnit[];
    try {
      units = workloadUnits(input.profile, input.testbed, input.plan);
    } catch (error) {
      const { message, hint } = toAppError(error);
      const checkId = wanted[0]?.id ?? 'plan.sound';
      return {
        facts: null,
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
          },
        ],
      };
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
    const made = await runChecks(wanted, context, signal, onProgress);
    return { ...made, facts: await factsOf(input, units, world) };
  }

  const progressOf =
    (id: string): OnProgress =>
    (progress) => {
      rev += 1;
      emit('check.changed', { planId: id, rev, ...progress, report: null });
    };
  const settle = (
    id: string,
    input: LaunchInputs,
    made: Made,
    facts: readonly LaunchFact[] | null,
    atMs: number,
  ): CheckReport => {
    const report: CheckReport = {
      planId: input.plan.id,
      hash: launchHash(input),
      atMs,
      checks: made.checks,
      snapshotDigest: facts === null ? null : factsDigest(facts),
      ...settleFindings(made.findings, input.plan.waivers ?? []),
    };
    book.put(id, { report, facts });
    rev += 1;
    emit('check.changed', {
      planId: id,
      rev,
      done: made.checks.length,
      total: made.checks.length,
      running: [],
      findings: report.findings,
      report,
    });
    return report;
  };
  const check = async (id: string, signal: AbortSignal): Promise<CheckReport> => {
    const input = inputs(id);
    const made = await make(id, input, checks, signal, progressOf(id));
    return settle(id, input, made, made.facts, deps.clock.now());
  };

  return {
    'plan.check': ({ id }, signal) => check(id, signal),
    'plan.report': async ({ id }) => {
      const report = book.get(id)?.report ?? null;
      return report === null ? null : { ...report, stale: report.hash !== launchHash(inputs(id)) };
    },
    'plan.checkOne': async ({ id, checkId }, signal) => {
      const input = inputs(id);
      const before = book.get(id);
      if (before?.report.hash !== launchHash(input))
        throw fail(
          'conflict',
          'There is no check of the plan as it is now.',
          'Check the whole plan.',
        );
      const wanted = checks.filter((one) => one.id === checkId);
      if (wanted.length === 0)
        throw fail('notFound', `There is no check ${checkId}.`, 'Check the whole plan.');
      const made = await make(id, input, wanted, signal, () => undefined);
      // The order of the checks stays: what was found elsewhere keeps its place.
      const rank = new Map(checks.map((one, i) => [one.id, i]));
      const findings = [
        ...before.report.findings.filter((finding) => finding.checkId !== checkId),
        ...made.findings,
      ].sort((a, b) => (rank.get(a.checkId ?? '') ?? 0) - (rank.get(b.checkId ?? '') ?? 0));
      const facts =
        before.facts && made.facts
          ? replaceFacts(before.facts, made.facts, checkId)
          : (before.facts ?? made.facts);
      const times = new Map(made.checks.map((one) => [one.id, one]));
      return settle(
        id,
        input,
        { findings, checks: (before.report.checks ?? []).map((one) => times.get(one.id) ?? one) },
        facts,
        before.report.atMs,
      );
    },
    'plan.waive': async ({ id, keys, reason }) => {
      const plan = db.plans.get(id);
      if (!plan) throw fail('notFound', 'The plan does not exist.', 'Refresh the list of plans.');
      const before = book.get(id);
      const current = before !== null && before.report.hash === launchHash(inputs(id));
      const meant = new Set(keys);
      const impossible = before?.report.findings.find(
        (one) => one.waivable === false && meant.has(findingKey(one)),
      );
      if (reason !== null && impossible)
        throw fail(
          'invalidInput',
          `${impossible.title} cannot be waived: a run is impossible with it.`,
          impossible.fix,
        );
      const others = (plan.waivers ?? []).filter((waiver) => !meant.has(waiver.key));
      const atMs = deps.clock.now();
      const saved = db.plans.save({
        ...plan,
        waivers:
          reason === null
            ? others
            : [...others, ...[...meant].map((key) => ({ key, reason, atMs }))],
      });
      emit('list.changed', { list: 'plans' });
      // A report of an older state of the plan stays one: its hash launches nothing.
      return {
        plan: saved,
        report:
          before === null
            ? null
            : current
              ? rejudged(id, saved)
              : { ...before.report, stale: true },
      };
    },
    'plan.smoke': async ({ id }, signal) => {
      const { plan } = inputs(id);
      variants.put(smokeId(id), smokePlan(plan));
      const report = await check(smokeId(id), signal);
      if (!report.ready)
        throw fail(
          'conflict',
          `The check forbids the smoke run: ${forbiddingText(report.findings.filter(forbidsLaunch))}.`,
          'Mend what blocks, then start it again.',
        );
      const { runId } = await start(
        { planId: smokeId(id), checkedHash: report.hash, name: `${plan.name} smoke run` },
        signal,
      );
      book.setSmokeRun(id, runId);
      return { runId };
    },
  };

  /**
   * The last report as the plan's waivers now have it; nothing is read again, only the hash is of
   * the saved plan.
   */
  function rejudged(id: string, plan: Plan): CheckReport {
    const { report, facts } = book.get(id)!;
    return settle(
      id,
      { ...inputs(id), plan },
      { findings: report.findings, checks: report.checks ?? [] },
      facts,
      report.atMs,
    );
  }
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
