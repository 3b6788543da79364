import { fail } from '../../../../src/core/base/errors.ts';
import { forbiddingText, forbidsLaunch } from '../../../../src/core/plan/checkReport.ts';
import { findingKey } from '../../../../src/core/plan/plan.ts';
import type { Handlers, Output, ParsedInput } from '../../../../src/wire/contract.ts';
import { launchHash } from '../../plans/hash.ts';
import type { PlanVariants } from '../../studies/peers.ts';
import { type Checker, type CheckerOptions, createChecker } from './checker.ts';
import { smokeId, smokePlan } from './smokePlan.ts';

type Methods = Pick<
  Handlers,
  'plan.check' | 'plan.checkOne' | 'plan.report' | 'plan.waive' | 'plan.smoke'
>;
export interface PreflightOptions extends CheckerOptions {
  variants: PlanVariants;
  start: Handlers['run.start'];
}

/** The pre-flight as the contract has it. */
export function preflightMethods(options: PreflightOptions): Methods {
  const { book, inputs } = options;
  const checker = createChecker(options);
  return {
    'plan.check': ({ id }, signal) => checker.checkAll(id, signal),
    'plan.report': async ({ id }) => {
      const report = book.get(id)?.report ?? null;
      return report === null ? null : { ...report, stale: report.hash !== launchHash(inputs(id)) };
    },
    'plan.checkOne': ({ id, checkId }, signal) => checker.checkOne(id, checkId, signal),
    'plan.waive': async (input) => waiveFindings(options, checker, input),
    'plan.smoke': ({ id }, signal) => startSmokeRun(options, checker, id, signal),
  };
}

/** Waives findings with a reason, or takes the waivers back where it is null; saves the plan. */
function waiveFindings(
  { deps, db, emit, book, inputs }: PreflightOptions,
  checker: Checker,
  { id, keys, reason }: ParsedInput<'plan.waive'>,
): Output<'plan.waive'> {
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
      reason === null ? others : [...others, ...[...meant].map((key) => ({ key, reason, atMs }))],
  });
  emit('list.changed', { list: 'plans' });
  if (before === null) return { plan: saved, report: null };
  // A report of an older state of the plan stays one: its hash launches nothing.
  return {
    plan: saved,
    report: current ? checker.rejudge(id, saved) : { ...before.report, stale: true },
  };
}

/** Checks the short variant of a plan and starts it as a run. Throws conflict where that blocks. */
async function startSmokeRun(
  { book, inputs, variants, start }: PreflightOptions,
  checker: Checker,
  id: string,
  signal: AbortSignal,
): Promise<Output<'plan.smoke'>> {
  const { plan } = inputs(id);
  variants.put(smokeId(id), smokePlan(plan));
  const report = await checker.checkAll(smokeId(id), signal);
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
}
