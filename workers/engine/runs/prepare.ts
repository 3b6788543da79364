import { type AppError, fail, toAppError } from '../../../src/core/base/errors.ts';
import { groupBy } from '../../../src/core/base/groupBy.ts';
import type { MetricName } from '../../../src/core/metric/metric.ts';
import { hiddenWaitsOf } from '../../../src/core/profile/driverKinds.ts';
import { namesOf } from '../../../src/core/run/outages.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import type { HostSoftware, UplinkCounted, VCenterSession } from '../deps/vcenter.ts';
import { clientsAtOnce } from '../snapshots/clients.ts';
import { createGate } from '../ssh/gate.ts';
import { getDriver } from '../workloads/index.ts';
import { type RunContext, stopOrDetached } from './context.ts';
import { watchedProviders, type WorkloadUnit } from './series.ts';
import { startServers } from './servers.ts';
import { type ProcMetric, readReading, toldBy } from './sources/procReading.ts';
import { preparing } from './undoLoads.ts';
import { label, withSubject } from './workload.ts';

/** The inventory as it stands, with what the hosts of the run tell of their software. */
export async function readInventory(
  { peers, db, units }: Pick<RunContext, 'peers' | 'db' | 'units'>,
  vcenterId: string | null,
  signal: AbortSignal,
): Promise<Inventory | null> {
  if (vcenterId === null) return null;
  const session = await peers.vcenter(vcenterId, signal);
  const inventory = await session.inventory(signal);
  db.inventories.save(inventory);
  const refs = watchedProviders(units, inventory)
    .hosts.filter(({ connectionState }) => connectionState === 'connected')
    .map(({ ref }) => ref);
  const software = new Map(
    (await softwareOf(session, refs, signal)).map(({ hostRef, ...told }) => [hostRef, told]),
  );
  return {
    ...inventory,
    hosts: inventory.hosts.map((host) => {
      const told = software.get(host.ref);
      return told === undefined ? host : { ...host, software: told };
    }),
  };
}

/** No host's command line is worth a run: what cannot be read is a note of its host. */
async function softwareOf(
  session: Pick<VCenterSession, 'hostSoftware'>,
  hostRefs: readonly string[],
  signal: AbortSignal,
): Promise<HostSoftware[]> {
  try {
    return await session.hostSoftware(hostRefs, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    const note = toAppError(error).message;
    return hostRefs.map((hostRef) => ({ hostRef, packages: null, settings: null, note }));
  }
}

/**
 * Adapters of the hosts of a run that vCenter counts one by one. A vCenter that does not tell costs
 * the run its uplink charts, nothing else.
 */
export async function readUplinks(
  context: Pick<RunContext, 'peers' | 'run'>,
  vcenterId: string | null,
  hosts: Inventory['hosts'],
  signal: AbortSignal,
): Promise<UplinkCounted[]> {
  if (vcenterId === null || hosts.length === 0) return [];
  try {
    return await (
      await context.peers.vcenter(vcenterId, signal)
    ).uplinks(
      hosts.map((host) => host.ref),
      signal,
    );
  } catch (error) {
    if (signal.aborted) throw error;
    context.run.finding({
      id: 'vcenter.uplinks',
      severity: 'info',
      text:
        `vCenter does not tell which uplinks it counts: ${toAppError(error).message} Charts ` +
        "show each host's network as a whole.",
    });
    return [];
  }
}

/**
 * What vCenter counts of VMs, and of datastores beside their commands and latencies. One that does
 * not tell costs the run those charts, nothing else.
 */
export async function readCounted(
  context: Pick<RunContext, 'peers' | 'run'>,
  vcenterId: string | null,
  signal: AbortSignal,
): Promise<{ vmMetrics: readonly MetricName[]; storeMetrics: readonly MetricName[] }> {
  if (vcenterId === null) return { vmMetrics: [], storeMetrics: [] };
  try {
    const session = await context.peers.vcenter(vcenterId, signal);
    return {
      vmMetrics: await session.vmMetrics(signal),
      storeMetrics: await session.storeMetrics(signal),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    context.run.finding({
      id: 'vcenter.vmMetrics',
      severity: 'info',
      text:
        `vCenter does not tell what it counts of VMs: ${toAppError(error).message} The run has ` +
        'no charts of VMs.',
    });
    return { vmMetrics: [], storeMetrics: [] };
  }
}

/**
 * What each client and each Linux host under test tells of itself. One that cannot be asked costs
 * the run its charts, nothing else: whether a client's loads can run is found out by others; of a
 * host it is told.
 */
export async function readProcMetrics(
  { peers, run, deps }: Pick<RunContext, 'peers' | 'run' | 'deps'>,
  machines: { clients: readonly string[]; hosts: readonly { id: string; name: string }[] },
  signal: AbortSignal,
): Promise<Map<string, readonly ProcMetric[]>> {
  const hosts = new Map(machines.hosts.map(({ id, name }) => [id, name]));
  const tellHost = (id: string, why: string): void => {
    const name = hosts.get(id);
    if (name !== undefined)
      run.finding({
        id: `host.${id}`,
        severity: 'warn',
        text: `Host ${name} tells nothing of itself: ${why} The run has no charts of it.`,
        fix: 'Check its login in Connections; its user must be able to read /proc.',
      });
  };
  const read = async (id: string): Promise<readonly ProcMetric[]> => {
    try {
      const reading = await readReading(await peers.client(id), signal);
      if (reading === null) tellHost(id, 'it has no /proc/uptime, so it is no Linux machine.');
      return reading === null ? [] : toldBy(reading);
    } catch (error) {
      if (signal.aborted) throw error;
      const { message } = toAppError(error);
      deps.log.debug('A machine does not tell its counters', { machine: id, error: message });
      tellHost(id, message);
      return [];
    }
  };
  const gate = createGate(clientsAtOnce);
  return new Map(
    await Promise.all(
      [...new Set([...machines.clients, ...hosts.keys()])].map(
        async (id) => [id, await gate.run(() => read(id), signal)] as const,
      ),
    ),
  );
}

/**
 * Lets every driver make what its load needs, one after the other on a client, clients side by
 * side.
 */
export async function prepareWorkloads(context: RunContext): Promise<void> {
  const { run, units } = context;
  const clients = [...new Set(units.map((u) => u.assignment.clientId))];
  await Promise.all(
    clients.map(async (clientId) => {
      const host = await context.peers.client(clientId);
      for (const unit of units.filter((u) => u.assignment.clientId === clientId)) {
        run.workload(unit.entityId, { state: 'preparing' });
        preparing(run, unit.entityId);
        try {
          await getDriver(unit.workload.driver).prepare(host, unit.params, stopOrDetached(context));
        } catch (thrown) {
          const cause = toAppError(thrown);
          // Ended because another failed first, or by the user: not its fault.
          if (cause.kind === 'aborted' || stopOrDetached(context).aborted) throw cause;
          throw notPrepared(context, unit, cause);
        }
        run.workload(unit.entityId, { state: 'waiting' });
      }
    }),
  );
  await startServers(context, stopOrDetached(context));
}

/** The failure of a preparation with whose it was; what the tool said is kept in the run's log. */
function notPrepared({ run, db, connections }: RunContext, unit: WorkloadUnit, cause: AppError) {
  const { clientId } = unit.assignment;
  const client = connections.find((c) => c.id === clientId)?.name ?? clientId;
  const message = `${label(unit)} on ${client} cannot be prepared: ${cause.message}`;
  const output = cause.details?.['output'];
  db.runs.saveLog(run.id, unit.entityId, typeof output === 'string' ? output : cause.message);
  run.workload(unit.entityId, { state: 'failed', detail: cause.message });
  return fail(cause.kind, message, cause.hint);
}

/**
 * Each job's own words into the run's log, and the tools' final reports held against what was
 * stored: one load after the other on a client, clients side by side.
 */
export async function collectLogs(context: RunContext, signal: AbortSignal): Promise<void> {
  const { run, db } = context;
  const found = new Map<WorkloadUnit, CrossCheck>();
  const collect = async (unit: WorkloadUnit): Promise<void> => {
    const job = db.runs.job(run.id, unit.entityId);
    if (!job) return;
    try {
      const host = await context.peers.client(job.clientId);
      const [stdout, stderr, command] = await Promise.all([
        host.readJobFile(job.handle, 'stdout', 4 * 1024 * 1024, signal),
        host.readJobFile(job.handle, 'stderr', 256 * 1024, signal),
        host.readJobFile(job.handle, 'command', 64 * 1024, signal),
      ]);
      db.runs.saveLog(
        run.id,
        unit.entityId,
        `$ ${command.trim()}\n${keepEnds(stdout)}${stderr ? `\n--- stderr ---\n${stderr}` : ''}`,
      );
      const result = crossCheck(context, unit, job.handle.startMs - job.offsetMs, stdout);
      if (result) found.set(unit, result);
    } catch (error) {
      const id = `log.${job.clientId}`;
      const subjects = withSubject(run, id, label(unit));
      run.finding({
        id,
        severity: 'info',
        text: `The log of ${namesOf(subjects)} could not be read: ${toAppError(error).message}`,
        subjects,
      });
    }
  };
  const gate = createGate(clientsAtOnce);
  await Promise.all(
    [...groupBy(context.units, ({ assignment }) => assignment.clientId).values()].map((own) =>
      gate.run(async () => {
        for (const unit of own) await collect(unit);
      }),
    ),
  );
  // In the order of the tiles, whichever client was quicker.
  const checked = context.units.flatMap((unit) => found.get(unit) ?? []);
  tellCrossChecks(context, checked);
  tellHiddenWaits(context);
}

/** A log view needs its beginning and its end; the middle is in the samples. */
function keepEnds(text: string, keep = 100_000): string {
  return text.length <= 2 * keep
    ? text
    : `${text.slice(0, keep)}\n… ${text.length - 2 * keep} characters left out …\n${text.slice(-keep)}`;
}

/**
 * How far a mean is from a report, %; both 0 agree, and from a report of 0 anything else is
 * infinitely far.
 */
export const offPct = (stored: number, reported: number): number =>
  stored === reported ? 0 : ((stored - reported) / reported) * 100;

interface CrossCheck {
  unit: WorkloadUnit;
  reported: number;
  stored: number;
  offPct: number;
}
/** At most two decimals: `267.15`, `120`. */
const twoDecimals = (value: number): number => Number(value.toFixed(2));

/** Stored means further than this from a tool's own report are a warning each. */
const agreesPct = 1;

function crossCheck(
  context: RunContext,
  unit: WorkloadUnit,
  startMs: number,
  stdout: string,
): CrossCheck | null {
  const { run, db, seriesId } = context;
  const report = getDriver(unit.workload.driver).finalReport(unit.params, stdout);
  if (report?.warning !== undefined)
    run.finding({
      id: `rest.${unit.entityId}`,
      severity: 'warn',
      text: `${label(unit)}: ${report.warning}`,
    });
  const id = seriesId(unit.entityId, 'throughput');
  if (report === null || report.throughput === null || id === undefined) return null;
  const stored = db.samples.aggregate(
    run.id,
    id,
    startMs + (report.fromS ?? 0) * 1_000 + 1,
    Number.MAX_SAFE_INTEGER,
  );
  return stored.count === 0
    ? null
    : {
        unit,
        reported: report.throughput,
        stored: stored.mean,
        offPct: offPct(stored.mean, report.throughput),
      };
}

/** Once a run and kind of program: what the latencies on its charts do not tell. */
function tellHiddenWaits({ run, units }: RunContext): void {
  for (const driver of new Set(units.map((unit) => unit.workload.driver))) {
    const hidden = hiddenWaitsOf(driver);
    if (hidden === null) continue;
    const names = [
      ...new Set(units.filter((u) => u.workload.driver === driver).map((u) => u.workload.name)),
    ];
    run.finding({
      id: `waits.${driver}`,
      severity: 'info',
      text: `${names.join(', ')}: ${hidden}.`,
      fix: 'Hold quality of service against a load of tilekit, which measures from when a request was due.',
    });
  }
}

/** One finding for all that agree, one for each that does not. */
function tellCrossChecks({ run }: RunContext, checked: readonly CrossCheck[]): void {
  const agreeing = checked.filter((c) => Math.abs(c.offPct) <= agreesPct);
  if (agreeing.length > 0) {
    const worst = agreeing.reduce((a, b) => (Math.abs(b.offPct) > Math.abs(a.offPct) ? b : a));
    run.finding({
      id: 'reports',
      severity: 'info',
      text:
        `The stored throughput of ${agreeing.length} workloads agrees with the tools' own ` +
        'final reports; largest difference ' +
        `${worst.offPct >= 0 ? '+' : ''}${worst.offPct.toFixed(2)} % (${label(worst.unit)}: ` +
        `${worst.stored.toFixed(2)} stored, ${twoDecimals(worst.reported)} ${worst.unit.workload.unit} ` +
        'reported).',
    });
  }
  for (const { unit, reported, stored, offPct: off } of checked.filter(
    (c) => !agreeing.includes(c),
  )) {
    run.finding({
      id: `report.${unit.entityId}`,
      severity: 'warn',
      text:
        `${label(unit)}: the tool's own report says ${twoDecimals(reported)} ${unit.workload.unit}, the ` +
        `stored samples' mean is ${stored.toFixed(2)} ` +
        `${unit.workload.unit}${Number.isFinite(off) ? ` (${off >= 0 ? '+' : ''}${off.toFixed(2)} %)` : ''}.`,
      fix: 'See its log: output may have been cut or the load uneven.',
    });
  }
}
