import { fail } from '../../../../src/core/base/errors.ts';
import type { PowerConnection } from '../../../../src/core/testbed/connection.ts';
import { demandMetered, meterHost } from '../../../../src/core/testbed/powerSources.ts';
import type { Clock } from '../../deps.ts';
import type { PowerEdge, PowerReading } from '../../deps/power.ts';
import type { HostedLab } from '../lab.ts';
import { meterId } from '../names.ts';
import { find, type Labs } from './world.ts';

const secondMs = 1_000;
/** What one call may bring of the time since the last: the meter keeps a minute. */
const keptMs = 60_000;

/** The power meters of all hosted labs: one each, the sum of its hosts, a value a second. */
export function createSimPower(labs: Labs, clock: Clock): PowerEdge {
  const meterOf = (
    connection: PowerConnection,
  ): { lab: HostedLab; host: string; periodMs: number } => {
    const source = demandMetered(connection.source);
    const host = meterHost(source);
    const { lab, name } = find(labs, host);
    if (name !== meterId)
      throw fail(
        'unreachable',
        `Nothing listens at ${host}.`,
        `The meter of lab ${lab.spec.name} is ${meterId}.${lab.id}.sim.`,
        { step: 'port' },
      );
    return { lab, host, periodMs: source.periodMs };
  };
  const watts = ({ lab, host }: { lab: HostedLab; host: string }, tMs: number): number => {
    if (lab.hit('meterSilent', meterId, host))
      throw fail(
        'unreachable',
        `The power meter ${host} is silent.`,
        'A fault of the simulated lab silences it.',
      );
    const model = lab.sync();
    const sum = lab.spec.hosts.reduce(
      (total, { id }) => total + (model.host(id, tMs - secondMs, tMs)?.powerW ?? 0),
      0,
    );
    return Math.round(sum * 10) / 10;
  };

  return {
    identify: () =>
      Promise.reject(fail('invalidInput', 'A simulated meter has no certificate or host key.')),
    async test(connection) {
      const meter = meterOf(connection);
      const now = Math.floor(clock.now() / secondMs) * secondMs;
      return {
        ok: true,
        steps: [
          {
            step: 'name',
            ok: true,
            detail: `${meter.host} is the meter of lab ${meter.lab.spec.name}.`,
          },
          { step: 'port', ok: true, detail: 'It answers.' },
          { step: 'permission', ok: true, detail: `${watts(meter, now)} W.` },
        ],
      };
    },
    open(connection) {
      const source = demandMetered(connection.source);
      let lastMs = -Infinity;
      return {
        source: `simulated meter ${meterHost(source)}`,
        periodMs: source.periodMs,
        lagMs: 0,
        decimals: 1,
        async read() {
          const meter = meterOf(connection);
          const nowMs = Math.floor(clock.now() / secondMs) * secondMs;
          const readings: PowerReading[] = [];
          const stepMs = Math.max(secondMs, Math.round(source.periodMs / secondMs) * secondMs);
          for (
            let tMs = Math.max(Number.isFinite(lastMs) ? lastMs + stepMs : nowMs, nowMs - keptMs);
            tMs <= nowMs;
            tMs += stepMs
          )
            readings.push({ tMs, watts: watts(meter, tMs) });
          lastMs = readings.at(-1)?.tMs ?? lastMs;
          return readings;
        },
        close: () => undefined,
      };
    },
  };
}
