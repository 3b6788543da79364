import { counted } from '../../../../src/core/base/counted.ts';
import { toAppError } from '../../../../src/core/base/errors.ts';
import { metricWords } from '../../../../src/core/metric/metricWords.ts';
import { esxtopParts } from '../../../../src/core/plan/esxtopWish.ts';
import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import { esxiLoginsOf, linuxHostsOf } from '../../../../src/core/testbed/usedConnections.ts';
import { watchEsxtop, zoneOf } from '../../esxtop/live.ts';
import { type EsxiHost, esxiHostsOf } from '../../runs/esxiHosts.ts';
import { esxtopScopes } from '../../runs/sources/esxtop/index.ts';
import { type EsxtopScope, readingOf } from '../../runs/sources/esxtop/wanted.ts';
import { readReading, toldBy } from '../../runs/sources/procReading.ts';
import { signedMs } from './clientChecks.ts';
import { type CheckContext, defineCheck } from './types.ts';

/** A machine under test that is Linux: does it let in, and what does it tell of itself. */
async function linuxFinding(
  { peers, nameOf }: CheckContext,
  id: string,
  signal: AbortSignal,
): Promise<CheckFinding> {
  const name = nameOf(id);
  const about = {
    id: 'host.login',
    title: `Linux host ${name}`,
    subject: name,
    source: `host ${name} over SSH`,
  };
  try {
    const reading = await readReading(await peers.client(id), signal);
    const told = reading === null ? [] : toldBy(reading);
    return told.length === 0
      ? {
          ...about,
          severity: 'warn',
          evidence: 'it lets in and tells nothing of itself: its charts would stay empty',
          fix: 'A Linux host has /proc; let the user of the connection read it. An ESXi host is named as one.',
        }
      : {
          ...about,
          severity: 'ok',
          evidence: `tells ${told.map((metric) => metricWords[metric]).join(', ')}`,
        };
  } catch (error) {
    const { message, hint } = toAppError(error);
    return {
      ...about,
      severity: 'warn',
      evidence: `${message} Its charts would stay empty.`,
      fix: hint ?? 'Correct its connection, or take its login out of the testbed.',
    };
  }
}

/** An ESXi host: does it let in, does esxtop print a row there, and how far its clock is off. */
async function esxiFinding(
  { deps, inputs }: CheckContext,
  { login, scope }: { login: EsxiHost; scope: EsxtopScope },
  signal: AbortSignal,
): Promise<CheckFinding> {
  const { name } = login;
  const about = {
    id: 'host.esxtop',
    title: `esxtop on ${name}`,
    subject: name,
    source: `esxtop on ${name} over SSH`,
  };
  const vms = new Set<string>();
  const other = { columns: 0 };
  let printedMs: number | null = null;
  try {
    const host = await login.open();
    const { offsetMs, errorMs } = await host.clockOffset(signal);
    await watchEsxtop(
      host,
      {
        hostName: name,
        everyS: inputs.plan.esxtop?.everyS ?? 2,
        rows: 1,
        place(column) {
          const reading = readingOf(scope, column);
          if (reading?.vmRef) vms.add(reading.vmRef);
          else if (reading !== null) other.columns += 1;
          return null;
        },
        onRow: (hostMs) => {
          printedMs = hostMs;
        },
      },
      signal,
    );
    const found = vms.size + other.columns;
    const offMs =
      printedMs === null
        ? null
        : printedMs - zoneOf(printedMs, deps.clock.now() + offsetMs) - deps.clock.now();
    const clock = `its clock ${signedMs(offsetMs)} ± ${Math.round(errorMs)} ms against this machine`;
    return found === 0
      ? {
          ...about,
          severity: 'warn',
          evidence: `it prints a row without a column of the VMs, LUNs or ports of this plan; ${clock}`,
          fix: 'Let ~/.esxtop60rc of that user keep the default columns, and see whether the VMs are on that host.',
        }
      : {
          ...about,
          severity: offMs !== null && Math.abs(offMs - offsetMs) > strayMs ? 'warn' : 'ok',
          evidence:
            `prints a row: ${counted(vms.size, 'VM')} of the plan, ` +
            `${counted(other.columns, 'column')} of LUNs and uplinks; ${clock}`,
        };
  } catch (error) {
    const { message, hint } = toAppError(error);
    return {
      ...about,
      severity: 'warn',
      evidence: `${message} There would be no samples of it.`,
      fix: hint ?? 'Correct its connection, or take its login out of the testbed.',
    };
  }
}
/** Times of rows further from the clock of their own host than this are not its clock's. */
const strayMs = 60_000;

/** Made where the plan asks for esxtop, and where a login was named for it. */
export const hostEsxtop = defineCheck({
  id: 'host.esxtop',
  title: 'esxtop on the hosts that are logged in to',
  needs: 'vcenter',
  async run(context, signal) {
    const { deps, peers, inputs, units, world } = context;
    const { testbed, plan, connections } = inputs;
    if (!plan.esxtop && esxiLoginsOf(testbed).length === 0) return [];
    const inventory = await world.inventory();
    const logins = esxiHostsOf({ deps, peers, connections }, testbed, inventory);
    const parts = plan.esxtop?.parts ?? [...esxtopParts];
    const scopes = esxtopScopes(logins, units, inventory, parts);
    const findings = await Promise.all(scopes.map((one) => esxiFinding(context, one, signal)));
    return plan.esxtop && scopes.length === 0
      ? [
          {
            id: 'host.esxtop',
            severity: 'warn',
            title: 'esxtop beside the run',
            subject: 'esxtop',
            evidence: 'the plan asks for it, and no host of the plan can be logged in to',
            fix: 'Name the logins of the ESXi hosts in the settings of the testbed.',
          },
        ]
      : findings;
  },
});

export const hostLogins = defineCheck({
  id: 'host.login',
  title: 'Hosts under test that are logged in to',
  run: (context, signal) =>
    Promise.all(
      linuxHostsOf(context.inputs.testbed).map((id) => linuxFinding(context, id, signal)),
    ),
});
