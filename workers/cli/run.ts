import { threeFigures } from '../../src/core/base/format.ts';
import { countFindings } from '../../src/core/plan/checkReport.ts';
import type { CheckFinding, CheckReport, PlanFile } from '../../src/core/plan/plan.ts';
import { parsePlanFile } from '../../src/core/plan/planFile.ts';
import {
  actInRun,
  actStateWords,
  actSummaries,
  recoveryText,
} from '../../src/core/run/actSummary.ts';
import type { RunOverview } from '../../src/core/run/run.ts';
import { overviewStateWord, severityWords } from '../../src/core/run/runWords.ts';
import { isEnd } from '../../src/core/run/states.ts';
import type { Client } from '../../src/wire/contract.ts';
import { sourceOf } from '../../src/wire/importOwn.ts';
import { exitCodeOf, exitCodes } from './exitCodes.ts';
import { type Consent, importWithConsent } from './importFile.ts';
import type { Terminal } from './output.ts';
import { printScore } from './printScore.ts';
import { readTextArgument } from './readFile.ts';

export async function readPlanFile(path: string): Promise<PlanFile> {
  return parsePlanFile(path, await readTextArgument(path));
}

/**
 * Takes the plan in, on the consent that the options say, and checks it. Throws untrusted before
 * anything of it runs.
 */
export async function checkPlan(
  client: Client,
  file: PlanFile,
  consent: Consent,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<CheckReport> {
  const { plan } = await importWithConsent(client, sourceOf(file), consent, terminal, signal);
  return client.call('plan.check', { id: plan.id }, signal);
}

const marks = { block: '✗', warn: '!', info: 'i', ok: '✓' } as const;
const headings = {
  block: 'Blocks the launch',
  warn: 'Warnings',
  waived: 'Waived',
  info: 'Notes',
  ok: 'In order',
} as const;
/** The findings by severity, with what to do and a command where there is one. */
export function printReport(terminal: Terminal, report: CheckReport): void {
  const kindOf = (finding: CheckFinding): keyof typeof headings =>
    finding.waived ? 'waived' : finding.severity;
  for (const kind of ['block', 'warn', 'waived', 'info', 'ok'] as const) {
    const findings = report.findings.filter((finding) => kindOf(finding) === kind);
    if (findings.length === 0) continue;
    terminal.err(`${headings[kind]} (${findings.length})`);
    for (const finding of findings) {
      terminal.err(`  ${marks[finding.severity]} ${finding.title}: ${finding.evidence}`);
      if (finding.waived) terminal.err(`      Waived: ${finding.waived.reason}`);
      else if (finding.fix && kind !== 'ok') terminal.err(`      ${finding.fix}`);
      if (finding.command && (kind === 'block' || kind === 'warn'))
        terminal.err(`      $ ${finding.command}`);
    }
  }
  const count = countFindings(report.findings);
  terminal.err(
    `${report.ready ? 'Ready' : 'Not ready'}: ${count.ok} ok, ${count.info} notes, ` +
      `${count.warn} warnings, ${count.waived} waived, ${count.block} blocking.`,
  );
}

export interface Interrupts {
  /** Called with the count of interrupts so far, 1 = first. Gives the way to stop listening. */ on(
    listener: (count: number) => void,
  ): () => void;
}

/**
 * Checks, launches and watches a run to its end. The first interrupt ends it gracefully, the second
 * at once.
 */
export async function runPlan(
  client: Client,
  file: PlanFile,
  options: { name?: string; json: boolean; consent: Consent },
  terminal: Terminal,
  interrupts: Interrupts,
): Promise<number> {
  const checking = new AbortController();
  const stopChecking = interrupts.on(() => checking.abort());
  const report = await checkPlan(client, file, options.consent, terminal, checking.signal).finally(
    stopChecking,
  );
  printReport(terminal, report);
  if (!report.ready) {
    if (options.json) terminal.out(JSON.stringify({ outcome: 'notReady', report }));
    return exitCodes.preflight;
  }
  const { runId } = await client.call('run.start', {
    planId: report.planId,
    checkedHash: report.hash,
    ...(options.name ? { name: options.name } : {}),
  });
  terminal.err(`Run ${runId} started.`);
  const overview = await watch(client, runId, terminal, interrupts);
  if (options.json)
    terminal.out(
      JSON.stringify({ outcome: overview.verdict?.outcome ?? overview.state, run: overview }),
    );
  else printEnd(terminal, overview);
  return exitCodeOf(overview);
}

async function watch(
  client: Client,
  runId: string,
  terminal: Terminal,
  interrupts: Interrupts,
): Promise<RunOverview> {
  let line = '';
  let seenEvents = 0;
  const show = (overview: RunOverview): void => {
    for (const event of overview.events.slice(seenEvents))
      if (event.kind !== 'state') terminal.err(`  ${event.text}`);
    seenEvents = overview.events.length;
    const running = overview.workloads.filter((w) => w.state === 'running').length;
    const next = `${overviewStateWord(overview)}: ${running} of ${overview.workloads.length} workloads running`;
    if (next !== line) terminal.err(next);
    line = next;
  };
  return new Promise<RunOverview>((resolve, reject) => {
    const ends: (() => void)[] = [];
    let rev = -1;
    const take = (overview: RunOverview): void => {
      if (overview.id !== runId || overview.rev <= rev) return;
      rev = overview.rev;
      show(overview);
      if (!isEnd(overview.state)) return;
      for (const end of ends) end();
      resolve(overview);
    };
    ends.push(client.on('run.changed', take));
    ends.push(
      interrupts.on((count) => {
        terminal.err(
          count === 1
            ? 'Ending the run; interrupt again to end it at once.'
            : 'Ending the run at once.',
        );
        client
          .call('run.abort', { id: runId, hard: count > 1 })
          .catch((thrown: unknown) => terminal.err(String(thrown)));
      }),
    );
    client.call('run.overview', { id: runId }).then(take, reject);
  });
}

function printEnd(terminal: Terminal, overview: RunOverview): void {
  terminal.out(overview.verdict?.sentence ?? `${overviewStateWord(overview)}.`);
  printScore(terminal, overview);
  printActs(terminal, overview);
  for (const finding of overview.findings)
    terminal.out(
      `${severityWords[finding.severity]}: ${finding.text}${finding.fix ? ` ${finding.fix}` : ''}`,
    );
}

/** What each act of the plan did, a line for each workload. */
function printActs(terminal: Terminal, overview: RunOverview): void {
  for (const act of overview.acts ?? []) {
    const text = act.text === '' ? '' : `: ${act.text}`;
    terminal.out(`${actInRun(act, overview.startedAtMs)}. ${actStateWords[act.state]}${text}`);
    for (const row of actSummaries(act, overview.workloads)) {
      const broken = row.violatedS === null ? '' : `, limits broken for ${row.violatedS} s`;
      const lost = row.workLost === null ? '' : `, work lost ${threeFigures(row.workLost)}`;
      terminal.out(`  ${row.workloadId}: recovery ${recoveryText(row)}${lost}${broken}`);
    }
  }
}
