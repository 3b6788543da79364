import { toAppError } from '../../../src/shared/errors.ts';
import type { RunRecord } from '../../../src/shared/run.ts';
import type { Inventory } from '../../../src/shared/testbed.ts';
import { getDriver } from '../workloads/index.ts';
import { stopOrDetached, type RunContext } from './context.ts';
import { label } from './workload.ts';
import type { WorkloadUnit } from './series.ts';

/** Facts of every client of the run, clock offset included. Throws when one cannot be reached. */
export async function readClients(context: Pick<RunContext, 'peers' | 'connections'>, units: readonly WorkloadUnit[], signal: AbortSignal): Promise<RunRecord['clients']> {
  const ids = [...new Set(units.map((u) => u.assignment.clientId))];
  return Promise.all(ids.map(async (id) => {
    const host = await context.peers.client(id);
    const { offsetMs } = await host.clockOffset(signal);
    const facts = await host.exec('uname -sr; nproc; sed -n "s/^MemTotal: *//p" /proc/meminfo', { signal, timeoutMs: 10_000 });
    const [kernel = '', cpus = '', memory = ''] = facts.stdout.split('\n');
    const versions = await Promise.all([...new Map(units.filter((u) => u.assignment.clientId === id).map((u) => [u.workload.driver, u])).values()].map(async (unit) => {
      const checked = await getDriver(unit.workload.driver).check(host, unit.params, signal);
      return [unit.workload.driver, checked.version ?? 'not found'] as const;
    }));
    return {
      id, name: context.connections.find((c) => c.id === id)?.name ?? id, clockOffsetMs: offsetMs,
      facts: { kernel, cpus, memory, ...Object.fromEntries(versions) },
    };
  }));
}

export async function readInventory(context: Pick<RunContext, 'peers' | 'db'>, vcenterId: string | null, signal: AbortSignal): Promise<Inventory | null> {
  if (vcenterId === null) return null;
  const inventory = await (await context.peers.vcenter(vcenterId, signal)).inventory(signal);
  context.db.inventories.save(inventory);
  return inventory;
}

/** Lets every driver make what its load needs, one after the other on a client, clients side by side. */
export async function prepareWorkloads(context: RunContext): Promise<void> {
  const { run, units } = context;
  const clients = [...new Set(units.map((u) => u.assignment.clientId))];
  await Promise.all(clients.map(async (clientId) => {
    const host = await context.peers.client(clientId);
    for (const unit of units.filter((u) => u.assignment.clientId === clientId)) {
      run.workload(unit.entityId, { state: 'preparing' });
      await getDriver(unit.workload.driver).prepare(host, unit.params, stopOrDetached(context));
      run.workload(unit.entityId, { state: 'waiting' });
    }
  }));
}

/** Each job's own words into the run's log, and the tool's final report held against what was stored. */
export async function collectLogs(context: RunContext, signal: AbortSignal): Promise<void> {
  const { run, db } = context;
  for (const unit of context.units) {
    const job = db.runs.jobs(run.id).find((j) => j.entityId === unit.entityId);
    if (!job) continue;
    try {
      const host = await context.peers.client(job.clientId);
      const stdout = await host.readJobFile(job.handle, 'stdout', 4 * 1024 * 1024, signal);
      const stderr = await host.readJobFile(job.handle, 'stderr', 256 * 1024, signal);
      const command = await host.readJobFile(job.handle, 'command', 64 * 1024, signal);
      db.runs.saveLog(run.id, unit.entityId, `$ ${command.trim()}\n${keepEnds(stdout)}${stderr ? `\n--- stderr ---\n${stderr}` : ''}`);
      crossCheck(context, unit, job.handle.startMs - job.offsetMs, stdout);
    } catch (error) {
      run.finding({ id: `log.${unit.entityId}`, severity: 'info', text: `The log of ${label(unit)} could not be read: ${toAppError(error).message}` });
    }
  }
}

/** A log view needs its beginning and its end; the middle is in the samples. */
function keepEnds(text: string, keep = 100_000): string {
  return text.length <= 2 * keep ? text : `${text.slice(0, keep)}\n… ${text.length - 2 * keep} characters left out …\n${text.slice(-keep)}`;
}

function crossCheck(context: RunContext, unit: WorkloadUnit, startMs: number, stdout: string): void {
  const { run, db, seriesId } = context;
  const report = getDriver(unit.workload.driver).finalReport(unit.params, stdout);
  const id = seriesId(unit.entityId, 'throughput');
  if (report === null || report.throughput === null || id === undefined) return;
  const stored = db.samples.aggregate(run.id, id, startMs + (report.fromS ?? 0) * 1_000 + 1, Number.MAX_SAFE_INTEGER);
  if (stored.count === 0) return;
  const offPct = ((stored.mean - report.throughput) / report.throughput) * 100;
  const unitName = unit.workload.unit;
  run.finding({
    id: `report.${unit.entityId}`, severity: Math.abs(offPct) > 1 ? 'warn' : 'info',
    text: `${label(unit)}: the tool's own report says ${report.throughput} ${unitName}, the stored samples' mean is ${stored.mean.toFixed(2)} ${unitName} (${offPct >= 0 ? '+' : ''}${offPct.toFixed(2)} %).`,
  });
}
