import { open, rename, rm } from 'node:fs/promises';
import type { Client, Comparison } from '../../src/shared/contract.ts';
import { fail } from '../../src/shared/errors.ts';
import { figure, table, timeText, type Terminal } from './output.ts';

export async function listRuns(client: Client, json: boolean, terminal: Terminal): Promise<void> {
  const runs = await client.call('run.list', {});
  if (json) { terminal.out(JSON.stringify(runs)); return; }
  terminal.out(table(['id', 'name', 'started', 'state', 'tiles', 'score', 'compliant', 'profile'], runs.map((r) => [r.id, r.name, timeText(r.startedAtMs), r.state, r.tiles, figure(r.score), r.compliant === null ? null : r.compliant ? 'yes' : 'no', r.profileName])));
}

export async function showRun(client: Client, id: string, json: boolean, terminal: Terminal): Promise<void> {
  const record = await client.call('run.record', { id });
  if (json) { terminal.out(JSON.stringify(record)); return; }
  const { overview } = record;
  terminal.out(`${overview.name} (${overview.id})\n${overview.verdict?.sentence ?? overview.state}\nstarted ${timeText(overview.startedAtMs)}, profile ${record.profile.name} ${record.profile.version}, testbed ${record.testbed.name}, ${record.plan.tiles} tiles`);
  if (overview.score) terminal.out(`score ${overview.score.total === null ? 'none' : overview.score.total.toFixed(3)}`);
  terminal.out(table(['workload', 'VM', 'client', 'state', 'bad lines'], overview.workloads.map((w) => [w.entityId, w.vmName, w.clientId, w.state, w.badLines])));
  for (const finding of overview.findings) terminal.out(`${finding.severity}: ${finding.text}`);
}

/** Writes an export to a file or stdout, page by page. The file appears under its name when it is whole; an export that fails leaves none. */
export async function exportRun(client: Client, id: string, format: 'csv' | 'json', output: string | undefined, terminal: Terminal): Promise<void> {
  const first = await client.call('run.export', { id, format, cursor: null });
  const path = output === '-' ? null : output ?? first.fileName;
  const partial = `${path}.part`;
  const file = path === null ? null : await open(partial, 'w').catch((thrown: unknown) => { throw fail('invalidInput', `${path} cannot be written: ${String(thrown)}`); });
  try {
    for (let page = first; ; page = await client.call('run.export', { id, format, cursor: page.cursor })) {
      if (file) await file.write(page.text);
      else process.stdout.write(page.text);
      if (page.cursor === null) break;
    }
  } catch (thrown) {
    await file?.close();
    if (file) await rm(partial, { force: true });
    throw thrown;
  }
  await file?.close();
  if (path !== null) await rename(partial, path);
  if (path !== null) terminal.err(`Wrote ${path}.`);
}

export async function compareRuns(client: Client, ids: readonly string[], json: boolean, terminal: Terminal): Promise<void> {
  const comparison = await client.call('run.compare', { baselineId: ids[0]!, ids: [...ids] });
  if (json) terminal.out(JSON.stringify(comparison));
  else printComparison(comparison, terminal);
}

function printComparison(comparison: Comparison, terminal: Terminal): void {
  for (const guard of comparison.guards) terminal.out(`Not comparable: ${guard}`);
  terminal.out(comparison.sentence);
  const names = comparison.runs.map((run) => run.name);
  terminal.out(table(['metric', 'unit', ...names.flatMap((name, i) => (i === 0 ? [name] : [name, 'Δ %']))], comparison.rows.map((row) => [row.label, row.unit, ...row.values.flatMap((value, i) => (i === 0 ? [figure(value)] : [figure(value), figure(row.deltaPct[i] ?? null)]))])));
  if (comparison.setup.length > 0) terminal.out(table(['what differs', '', ...names], comparison.setup.map((s) => [s.group, s.label, ...s.values])));
}
