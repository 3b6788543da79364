import type { CheckFinding } from '../../../../src/shared/plan.ts';
import { toAppError } from '../../../../src/shared/errors.ts';
import { getDriver } from '../../workloads/index.ts';
import type { Check, CheckContext } from './types.ts';

/** Offsets below this shift no 1 s sample by more than a tenth of its interval. */
const quietOffsetMs = 100;

const clientIds = (context: CheckContext): string[] => [...new Set(context.units.map((u) => u.assignment.clientId))];

async function eachClient(context: CheckContext, id: string, title: string, check: (clientId: string) => Promise<CheckFinding[]>): Promise<CheckFinding[]> {
  const results = await Promise.all(clientIds(context).map(async (clientId) => {
    try {
      return await check(clientId);
    } catch (error) {
      const { message, hint } = toAppError(error);
      return [{ id, severity: 'block' as const, title: `${title} ${context.nameOf(clientId)}`, evidence: message, ...(hint ? { fix: hint } : {}) }];
    }
  }));
  return results.flat();
}

export const clientReachable: Check = {
  id: 'client.reachable', title: 'Client machines answer over SSH',
  run: (context, signal) => eachClient(context, 'client.reachable', 'Client', async (clientId) => {
    const host = await context.peers.client(clientId);
    const { stdout } = await host.exec('uname -sr; nproc; cut -d" " -f1 /proc/loadavg', { signal, timeoutMs: 15_000 });
    const [kernel = '?', cpus = '?', load = '0'] = stdout.split('\n');
    const busy = Number(load) > Number(cpus) * 0.7;
    return [{
      id: 'client.reachable', severity: busy ? 'warn' : 'ok', title: `Client ${context.nameOf(clientId)} answers`,
      evidence: `${kernel}, ${cpus} CPUs, load ${load}`, ...(busy ? { fix: 'Find out what keeps the client busy (top), or choose another one: a busy client measures itself.' } : {}),
    }];
  }),
};

export const clientClock: Check = {
  id: 'client.clockOffset', title: 'Clocks of the client machines',
  run: (context, signal) => eachClient(context, 'client.clockOffset', 'Clock of', async (clientId) => {
    const { offsetMs, errorMs } = await (await context.peers.client(clientId)).clockOffset(signal);
    const off = Math.abs(offsetMs) > Math.max(quietOffsetMs, errorMs * 2);
    return [{
      id: 'client.clockOffset', severity: off ? 'warn' : 'ok', title: `Clock of ${context.nameOf(clientId)}`,
      evidence: `${offsetMs >= 0 ? '+' : ''}${Math.round(offsetMs)} ms ± ${Math.round(errorMs)} ms against this machine`,
      ...(off ? { fix: 'Samples are corrected by this offset. Put the clients in step with chrony or NTP so that the correction stays small.' } : {}),
    }];
  }),
};

export const clientDrivers: Check = {
  id: 'client.driver', title: 'Workload drivers on the client machines',
  run: (context, signal) => eachClient(context, 'client.driver', 'Drivers on', async (clientId) => {
    const host = await context.peers.client(clientId);
    const units = context.units.filter((u) => u.assignment.clientId === clientId);
    return Promise.all(units.map(async (unit) => {
      const driver = getDriver(unit.workload.driver);
      const result = await driver.check(host, unit.params, signal);
      return {
        id: 'client.driver', severity: result.ok ? 'ok' as const : 'block' as const,
        title: `Tile ${unit.tile + 1} ${unit.workload.name}: ${driver.title} on ${context.nameOf(clientId)}`,
        evidence: result.problem ?? result.version ?? 'found', ...(result.fix ? { fix: result.fix } : {}),
      };
    }));
  }),
};

export const clientLeftovers: Check = {
  id: 'client.leftovers', title: 'Leftovers of earlier runs on the client machines',
  run: (context, signal) => eachClient(context, 'client.leftovers', 'Leftovers on', async (clientId) => {
    const host = await context.peers.client(clientId);
    const { stdout } = await host.exec('ls "${TILEBENCH_ROOT:-$HOME}/.tilebench" 2>/dev/null | head -20', { signal, timeoutMs: 15_000 });
    const left = stdout.split('\n').filter((name) => name !== '');
    return [{
      id: 'client.leftovers', severity: left.length > 0 ? 'warn' : 'ok', title: `Leftovers on ${context.nameOf(clientId)}`,
      evidence: left.length > 0 ? `directories of ${left.length} earlier runs: ${left.join(', ')}` : 'none',
      ...(left.length > 0 ? { fix: 'Load of another run may still be going on there: wait for it, or end it and remove ~/.tilebench.' } : {}),
    }];
  }),
};
