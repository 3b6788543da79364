import type { TestReport } from '../../../src/wire/contract/connections.ts';
import type { MeterKeys, PowerMeter } from '../deps/power.ts';
import { createValueGate } from '../metrics/freshReadings.ts';
import type { ProbeStep } from '../tls/probe.ts';
import { createEnergyReader } from './energy.ts';
import type { MeterGround } from './ground.ts';
import { uncertaintyWords, windowWords } from './meterFacts.ts';
import { assumedUpdateMs, measureRefresh, type Refresh } from './refresh.ts';

/** What a device said: watts, or watt-hours of a counter. */
export interface Polled {
  value: number;
  /** When it measured, as it says it; the same again = the same reading. null = it does not say. */
  mark: string | null;
}
/** What is known of a meter that tells its present value when it is asked. */
export interface PolledBasis {
  /** `plug on rack7`. */ source: string;
  periodMs: number;
  gives: 'power' | 'energy';
  scope: string | undefined;
  uncertaintyPct: number | undefined;
  windowMs: number | undefined;
}

/**
 * A meter that is asked for its present value. The same value again is a new reading only when the
 * device has measured again since, by the time it says, or else by how often it was seen to; a
 * counter of energy gives the mean between two of its steps.
 */
export function createPolledMeter(
  basis: PolledBasis,
  { clock, measuredMs }: MeterGround & MeterKeys,
  read: (signal?: AbortSignal) => Promise<Polled>,
  close: () => void | Promise<void>,
): PowerMeter {
  const updateMs = measuredMs ?? assumedUpdateMs;
  const isNew = createValueGate();
  const energy = createEnergyReader(measuredMs);
  let lastMark: string | null = null;
  return {
    source: basis.source,
    periodMs: basis.periodMs,
    lagMs: updateMs,
    decimals: 1,
    async read(signal) {
      const { value, mark } = await read(signal);
      const tMs = clock.now();
      if (basis.gives === 'energy') return energy(value, tMs);
      if (mark !== null) {
        const isRepeated = mark === lastMark;
        lastMark = mark;
        return isRepeated ? [] : [{ watts: value, tMs }];
      }
      return isNew(value, tMs, updateMs) ? [{ watts: value, tMs }] : [];
    },
    about: () =>
      Promise.resolve({
        scope: basis.scope ?? 'what the meter feeds',
        updateMs: measuredMs,
        lagMs: measuredMs ?? assumedUpdateMs,
        windowMs: basis.gives === 'energy' ? measuredMs : (basis.windowMs ?? null),
        uncertaintyPct: basis.uncertaintyPct ?? null,
        counts: basis.gives === 'energy',
      }),
    close,
  };
}

/** The last steps of a test: what it reads now, and how often a new value comes. */
export function polledSteps(
  { gives, scope, uncertaintyPct, windowMs }: PolledBasis,
  { clock }: MeterGround,
  read: (signal?: AbortSignal) => Promise<Polled>,
  signal: AbortSignal | undefined,
): { steps: ProbeStep[]; measured: () => Pick<TestReport, 'updateMs'> } {
  let refresh: Refresh | null = null;
  return {
    measured: () => (refresh === null ? {} : { updateMs: refresh.updateMs }),
    steps: [
      [
        'reading',
        async () => {
          const { value } = await read(signal);
          const unit = gives === 'energy' ? 'Wh by its counter' : 'W';
          return `${value} ${unit}${scope ? ` of ${scope}` : ''}. ${uncertaintyWords(uncertaintyPct)}`;
        },
        'Check where the number is, and its factor.',
      ],
      [
        'refresh',
        async () => {
          refresh = await measureRefresh(
            async () => {
              const { value, mark } = await read(signal);
              return mark ?? value;
            },
            clock,
            signal,
          );
          return gives === 'energy'
            ? `${refresh.words} Watts are the mean between two steps of the counter.`
            : `${refresh.words} ${windowWords(windowMs ?? null)}`;
        },
        'Test again.',
      ],
    ],
  };
}
