import { toAppError } from '../../../../src/core/base/errors.ts';
import { type CheckFinding, planPeriodS } from '../../../../src/core/plan/plan.ts';
import type { PowerConnection } from '../../../../src/core/testbed/connection.ts';
import { isMetered } from '../../../../src/core/testbed/powerSources.ts';
import {
  aboutWords,
  type MeterFacts,
  meterFacts,
  secondsWords as seconds,
  vcenterCounter,
} from '../../power/meterFacts.ts';
import { type CheckContext, defineCheck } from './types.ts';

function lagFinding(
  context: CheckContext,
  connection: PowerConnection,
  meter: MeterFacts,
  askedEveryMs: number,
): CheckFinding[] {
  const { phases } = context.inputs.plan;
  const periodMs = planPeriodS(phases) * 1_000;
  // A period longer than allowed is told by plan.scoring.
  if (askedEveryMs > periodMs || meter.periodMs + meter.lagMs <= periodMs) return [];
  return [
    {
      id: 'power.lag',
      severity: 'warn',
      title: `Lag of power source ${connection.name}`,
      subject: connection.name,
      source: meter.source,
      evidence:
        `a value every ${seconds(meter.periodMs)}, up to ${seconds(meter.lagMs)} old; a ` +
        `measurement period is ${seconds(periodMs)}`,
      fix:
        'Let the meter be polled more often (NUT: pollinterval in ups.conf), or lengthen the ' +
        'measurement periods: watts would be counted to the wrong period.',
    },
  ];
}

async function readMeter(
  context: CheckContext,
  connection: PowerConnection,
  signal: AbortSignal,
): Promise<CheckFinding[]> {
  const meter = context.peers.meter(connection);
  const about = {
    id: 'power.answers',
    title: `Power source ${connection.name}`,
    subject: connection.name,
    source: meter.source,
  };
  // Without watts a run of a profile that scores power is wasted.
  const severity = context.inputs.profile.scoring.power ? ('block' as const) : ('warn' as const);
  try {
    const reading = (await meter.read(signal)).at(-1);
    if (!reading)
      return [
        {
          ...about,
          severity,
          evidence: 'no reading',
          fix: 'Check the meter, its cable and its driver.',
        },
      ];
    const facts = await meterFacts(context.peers, connection, context.deps.log, signal);
    return [
      {
        ...about,
        severity: 'ok',
        evidence:
          `${reading.watts} W, every ${seconds(facts.periodMs)}, up to ${seconds(facts.lagMs)} old; ` +
          aboutWords(facts),
      },
      ...lagFinding(context, connection, facts, meter.periodMs),
    ];
  } catch (error) {
    signal.throwIfAborted();
    const { message, hint } = toAppError(error);
    return [
      {
        ...about,
        severity,
        evidence: message,
        fix: hint ?? 'Check the meter, its cable and its driver.',
      },
    ];
  } finally {
    await meter.close();
  }
}

export const powerAnswers = defineCheck({
  id: 'power.answers',
  title: 'Power sources answer',
  async run(context, signal) {
    const {
      inputs: { testbed },
      find,
    } = context;
    if (testbed.powerIds.length === 0)
      return [
        {
          id: 'power.none',
          severity: 'info',
          title: 'Power',
          subject: 'power',
          source: 'testbed',
          evidence: 'The testbed has no power source: no watts will be recorded.',
        },
      ];
    return (
      await Promise.all(
        testbed.powerIds.map(async (id): Promise<CheckFinding[]> => {
          const connection = find(id);
          if (connection?.kind !== 'power')
            return [
              {
                id: 'power.missing',
                severity: 'block',
                title: `Power source ${id}`,
                subject: id,
                source: 'connections',
                evidence: 'does not exist',
                fix: 'Choose another power source in the testbed.',
              },
            ];
          if (!isMetered(connection.source)) {
            return [
              {
                id: 'power.counter',
                severity: 'info',
                title: `Power source ${connection.name}`,
                subject: connection.name,
                source: 'vCenter',
                evidence:
                  "vCenter's own counter, a value every 20 s; whether it answers is told by the telemetry check",
              },
              ...lagFinding(context, connection, vcenterCounter, vcenterCounter.periodMs),
            ];
          }
          return readMeter(context, connection, signal);
        }),
      )
    ).flat();
  },
});
