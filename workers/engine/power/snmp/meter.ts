import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import { parts } from '../../../../src/core/testbed/power/snmp.ts';
import type { TestReport } from '../../../../src/wire/contract/connections.ts';
import type { MeterKeys, PowerMeter } from '../../deps/power.ts';
import { type ProbeStep, walk } from '../../tls/probe.ts';
import { resolveName } from '../../tls/tls.ts';
import type { MeterGround } from '../ground.ts';
import { createPolledMeter, type Polled, type PolledBasis, polledSteps } from '../polled.ts';
import { createSnmpSession, type SnmpSource } from './session.ts';

const basisOf = (source: SnmpSource): PolledBasis => ({
  source: `SNMP on ${source.host}`,
  periodMs: source.periodMs,
  gives: source.gives,
  scope: source.scope,
  uncertaintyPct: source.uncertaintyPct,
  windowMs: source.windowMs,
});

function createReader(
  source: SnmpSource,
  name: string,
  secret: () => Promise<string>,
): { read: (signal?: AbortSignal) => Promise<Polled>; close: () => void } {
  const session = createSnmpSession(source, name, secret);
  const oids = parts(source.oids).map((oid) => oid.replace(/^\./, ''));
  const invalid = new Set(parts(source.invalid ?? '').map(BigInt));
  return {
    close: () => session.close(),
    async read(signal) {
      const values = await session.get(oids, signal);
      for (const [index, value] of values.entries())
        if (value < 0n || invalid.has(value))
          throw fail(
            'notFound',
            `The agent of ${name} says ${value} at ${oids[index]}: it stands for no reading.`,
            'The device does not measure there, or starts; choose another object.',
          );
      const sum = values.reduce((total, value) => total + value, 0n);
      return { value: Number((Number(sum) * source.factor).toPrecision(12)), mark: null };
    },
  };
}

/** Watts of a PDU's outlets, all in one question. */
export function openSnmp(source: SnmpSource, ground: MeterGround & MeterKeys): PowerMeter {
  const { read, close } = createReader(source, ground.name, ground.secret);
  return createPolledMeter(basisOf(source), ground, read, close);
}

/** Resolves the name, asks the agent, and watches how often a new value comes. UDP has no port to open. */
export async function testSnmp(
  source: SnmpSource,
  ground: MeterGround & { secret: string },
  signal?: AbortSignal,
): Promise<TestReport> {
  const { name } = ground;
  const { read, close } = createReader(source, name, () => Promise.resolve(ground.secret));
  const { steps, measured } = polledSteps(basisOf(source), ground, read, signal);
  const to = {
    what: 'agent',
    name,
    host: source.host,
    port: source.port,
    fingerprint256: undefined,
  };
  const first: ProbeStep[] = [
    [
      'name',
      async () => `${source.host} is ${(await resolveName(to, signal)).join(', ')}.`,
      'Check the spelling and the DNS of this machine.',
    ],
    [
      'authentication',
      async () => {
        await read(signal).catch((error: unknown) => {
          // It let us ask: what is wrong with the object is told by the next step.
          if (toAppError(error).kind !== 'notFound') throw error;
        });
        return source.version === 'v3'
          ? `${source.user} may ask the agent.`
          : 'The agent answers to the community.';
      },
      'Check community or passphrase, address and firewall.',
    ],
  ];
  try {
    return { ...(await walk([...first, ...steps], signal)), ...measured() };
  } finally {
    close();
  }
}
