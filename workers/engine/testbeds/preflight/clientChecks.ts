import { toAppError } from '../../../../src/core/base/errors.ts';
import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import { defineCheck } from './types.ts';

/** Offsets below this shift no 1 s sample by more than a tenth of its interval. */
const quietOffsetMs = 100;
/**
 * App's choice: a client that is this busy before the load has too little left to drive it evenly.
 */
const busyLimitPct = 30;
/** App's choice: time that the client's own host takes away shows as latency of the workload. */
const stealLimitPct = 5;

export const overSsh = (name: string): string => `client ${name} over SSH`;
export const signedMs = (ms: number): string => `${ms >= 0 ? '+' : ''}${Math.round(ms)} ms`;

export const clientReachable = defineCheck({
  id: 'client.reachable',
  title: 'Client machines answer over SSH',
  run: async ({ world, nameOf }) =>
    Promise.all(
      world.clientIds.map(async (id): Promise<CheckFinding> => {
        const name = nameOf(id);
        const about = {
          id: 'client.reachable',
          title: `Client ${name}`,
          subject: name,
          source: overSsh(name),
        };
        try {
          const { facts } = await world.client(id);
          return {
            ...about,
            severity: 'ok',
            evidence: `answers: ${facts.kernel ?? 'kernel not told'}, ${facts.cpus ?? '?'} CPUs`,
          };
        } catch (error) {
          const { message, hint } = toAppError(error);
          return {
            ...about,
            severity: 'block',
            waivable: false,
            evidence: message,
            fix: hint ?? 'Correct the connection, or assign another client in the testbed.',
          };
        }
      }),
    ),
});

export const clientClock = defineCheck({
  id: 'client.clockOffset',
  title: 'Clocks of the client machines',
  run: ({ world, nameOf }, signal) =>
    world.eachClient(async ({ id, host }): Promise<CheckFinding> => {
      const { offsetMs, errorMs } = await host.clockOffset(signal);
      const off = Math.abs(offsetMs) > Math.max(quietOffsetMs, errorMs * 2);
      return {
        id: 'client.clockOffset',
        severity: off ? 'warn' : 'ok',
        title: `Clock of ${nameOf(id)}`,
        subject: nameOf(id),
        source: overSsh(nameOf(id)),
        evidence: `${signedMs(offsetMs)} ± ${Math.round(errorMs)} ms against this machine`,
        ...(off
          ? {
              fix:
                'Samples are corrected by this offset. Put the clients in step with chrony or ' +
                'NTP, so that the correction stays small.',
              command: 'sudo chronyc makestep',
            }
          : {}),
      };
    }),
});

export const clientBusy = defineCheck({
  id: 'client.busy',
  title: 'CPU headroom of the client machines',
  run: async ({ world, nameOf }) =>
    (await world.reached()).map(({ id, facts }): CheckFinding => {
      const { busyPct, stealPct, load1, cpus } = facts;
      // Where /proc/stat says nothing, the load average is the next best thing: processes that run
      // or wait, no share of a CPU.
      const waiting = busyPct === null && load1 !== null && cpus ? load1 / cpus : null;
      const about = {
        id: 'client.busy',
        title: `CPU of ${nameOf(id)} before the run`,
        subject: nameOf(id),
        source: `${overSsh(nameOf(id))}, ${busyPct === null ? '/proc/loadavg' : '/proc/stat over one second'}`,
      };
      if (busyPct === null && waiting === null)
        return {
          ...about,
          severity: 'warn',
          evidence:
            'the client does not tell how busy it is: the chart of its CPU would stay empty',
          fix: 'Let the user of the connection read /proc/stat there.',
        };
      const busy = busyPct === null ? waiting! * 100 > busyLimitPct : busyPct > busyLimitPct;
      const figure =
        busyPct === null
          ? `load average ${load1!.toFixed(2)} on ${cpus} CPUs before any load; more than ` +
            `${(busyLimitPct / 100) * cpus!} is called busy`
          : `${busyPct.toFixed(0)} % of ${cpus ?? '?'} CPUs in use before any load; more than ` +
            `${busyLimitPct} % is called busy`;
      const stolen = stealPct !== null && stealPct > stealLimitPct;
      return {
        ...about,
        severity: busy || stolen ? 'warn' : 'ok',
        evidence: `${figure}${stolen ? `; ${stealPct.toFixed(0)} % taken by its own host` : ''}`,
        ...(busy || stolen
          ? {
              fix: 'End what keeps the client busy, or choose another one: a busy client measures itself.',
              command: 'top -b -n 1 | head -15',
            }
          : {}),
      };
    }),
});

export const clientLeftovers = defineCheck({
  id: 'client.leftovers',
  title: 'Leftovers of earlier runs on the client machines',
  run: ({ world, nameOf }, signal) =>
    world.eachClient(async ({ id, host }): Promise<CheckFinding> => {
      const { stdout } = await host.exec(
        'ls "${TILEBENCH_ROOT:-$HOME}/.tilebench" 2>/dev/null | head -20',
        { signal, timeoutMs: 15_000 },
      );
      const left = stdout.split('\n').filter((name) => name !== '');
      return {
        id: 'client.leftovers',
        severity: left.length > 0 ? 'warn' : 'ok',
        title: `Leftovers on ${nameOf(id)}`,
        subject: nameOf(id),
        source: overSsh(nameOf(id)),
        evidence:
          left.length > 0
            ? `${left.length === 1 ? 'the directory of an earlier run' : `directories of ${left.length} earlier runs`}: ` +
              left.join(', ')
            : 'none',
        ...(left.length > 0
          ? {
              fix: 'Load of another run may still be going on there: wait for it, or end it and remove ~/.tilebench.',
              command: 'ls -l ~/.tilebench',
            }
          : {}),
      };
    }),
});
