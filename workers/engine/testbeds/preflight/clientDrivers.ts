import { byNaturalOrder } from '../../../../src/core/base/naturalOrder.ts';
import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import { hiddenWaitsOf } from '../../../../src/core/profile/driverKinds.ts';
import { withTargets, type WorkloadUnit } from '../../runs/series.ts';
import { label } from '../../runs/workload.ts';
import type { DriverCheck } from '../../workloads/driver.ts';
import { getDriver } from '../../workloads/index.ts';
import { overSsh } from './clientChecks.ts';
import { inventoryOf } from './nameChecks.ts';
import { placeOf } from './places.ts';
import { type CheckContext, defineCheck } from './types.ts';
import { compareVersions, parseVersion } from './versions.ts';

interface Seen {
  clientName: string;
  unit: WorkloadUnit;
  result: DriverCheck;
}

/** Is there a version, and is it one whose output the driver can read. */
function versionFinding({ clientName, unit, result }: Seen): CheckFinding | null {
  const driver = getDriver(unit.workload.driver);
  const found = result.version === null ? null : parseVersion(result.version);
  const wanted = driver.minimumVersion;
  if (!wanted || found === null || compareVersions(found, parseVersion(wanted.version) ?? []) >= 0)
    return null;
  return {
    id: 'client.driverVersion',
    severity: 'block',
    title: `${driver.title} on ${clientName} is too old`,
    subject: `${clientName} ${driver.id}`,
    source: overSsh(clientName),
    evidence: `${result.version ?? ''}; at least ${wanted.version} is needed: ${wanted.reason}`,
    fix: `Install ${driver.title} ${wanted.version} or newer on the client.`,
  };
}

/**
 * One workload on clients with different versions of its tool: its tiles are then not measured
 * alike.
 */
function differences(seen: readonly Seen[]): CheckFinding[] {
  const byDriver = new Map<string, Map<string, Set<string>>>();
  for (const { clientName, unit, result } of seen) {
    if (result.version === null || parseVersion(result.version) === null) continue;
    const versions = byDriver.get(unit.workload.driver) ?? new Map<string, Set<string>>();
    byDriver.set(
      unit.workload.driver,
      versions.set(result.version, (versions.get(result.version) ?? new Set()).add(clientName)),
    );
  }
  return [...byDriver]
    .filter(([, versions]) => versions.size > 1)
    .map(([id, versions]) => ({
      id: 'client.driverVersions',
      severity: 'warn',
      title: `Versions of ${getDriver(id).title} differ between clients`,
      subject: id,
      source: 'clients over SSH',
      evidence: [...versions]
        .map(
          ([version, clients]) => `${version} on ${[...clients].sort(byNaturalOrder).join(', ')}`,
        )
        .join('; '),
      fix: 'Install the same version on every client: tiles are compared with each other.',
    }));
}

/** The version that was found, and what a latency of this program leaves out. */
function foundWords({ version }: DriverCheck, driver: string): string {
  const hidden = hiddenWaitsOf(driver);
  return `${version ?? 'found'}${hidden === null ? '' : `; ${hidden}`}`;
}

/**
 * In the simulated lab the command of the run itself is held against what its machines run, so that
 * no load ends at once after the launch. null: it would run, or the client is no lab's.
 */
function notInLab({ deps, find, inputs }: CheckContext, unit: WorkloadUnit): DriverCheck | null {
  const client = find(unit.assignment.clientId);
  if (deps.lab === null || client?.kind !== 'client') return null;
  const driver = getDriver(unit.workload.driver);
  const { phases, sampling } = inputs.plan;
  const refusal = deps.lab.refusalOf(
    client.host,
    driver.command(unit.params, {
      durationS: phases.rampUpS + phases.steadyS + phases.rampDownS,
      intervalS: sampling.workloadMs / 1_000,
    }),
  );
  if (refusal === null) return null;
  const { noTwin, says, kinds } = refusal;
  return {
    ok: false,
    version: null,
    problem: noTwin
      ? `${driver.title} (${driver.id}) has no twin in the simulated lab: nothing there runs its command`
      : `the simulated lab refuses this load: ${says}`,
    fix:
      `Give ${unit.workload.name} the driver ${getDriver('simload').title} with a kind of this ` +
      `lab (${kinds.join(', ')}), or run this plan on real clients.`,
  };
}

export const clientDrivers = defineCheck({
  id: 'client.driver',
  title: 'Workload drivers on the client machines',
  async run(context, signal) {
    const { world, nameOf } = context;
    const units = withTargets(context.units, await inventoryOf(context));
    const seen = (
      await world.eachClient(async ({ id, host }) => {
        const own = units.filter((unit) => unit.assignment.clientId === id);
        // Equal drivers with equal parameters get one look a client.
        const looks = new Map<string, Promise<DriverCheck>>();
        return Promise.all(
          own.map(async (unit): Promise<Seen> => {
            const key = JSON.stringify([unit.workload.driver, unit.params]);
            const look =
              looks.get(key) ??
              (async () =>
                notInLab(context, unit) ??
                getDriver(unit.workload.driver).check(host, unit.params, signal))();
            looks.set(key, look);
            return { clientName: nameOf(id), unit, result: await look };
          }),
        );
      })
    ).flat();
    const old = new Map(
      seen.flatMap((one) => {
        const finding = versionFinding(one);
        return finding ? [[finding.subject, finding] as const] : [];
      }),
    );
    const tooOld = (one: Seen): boolean => old.has(`${one.clientName} ${one.unit.workload.driver}`);
    const present = seen
      .filter((one) => !tooOld(one))
      .map(({ clientName, unit, result }): CheckFinding => {
        const driver = getDriver(unit.workload.driver);
        return {
          id: 'client.driver',
          severity: !result.ok ? 'block' : result.warning === undefined ? 'ok' : 'warn',
          title: `Tile ${unit.tile + 1} ${unit.workload.name}: ${driver.title} on ${clientName}`,
          subject: `${label(unit)} on ${clientName}`,
          source: overSsh(clientName),
          evidence: result.problem ?? result.warning ?? foundWords(result, unit.workload.driver),
          ...(result.fix ? { fix: result.fix } : {}),
          ...(result.command ? { command: result.command } : {}),
          ...placeOf(context, unit, result.blames),
        };
      });
    return [
      ...old.values(),
      ...present,
      ...differences(seen.filter((one) => one.result.ok && !tooOld(one))),
    ];
  },
});
