import { toAppError } from '../../../src/core/base/errors.ts';
import type { Core } from './core.ts';
import { periodMs, watermarkMs } from './perfAggregate.ts';
import { decodeQueryPerf, type RawSeries } from './perfDecode.ts';
import { element, faultName, group, refElement, returned } from './soap.ts';

/** One counter of a host; an instance of '' is the host's sum, of '*' each of its parts. */
export interface Metric {
  counterId: number;
  instance: string;
}

const hostsPerCall = 32;
/** An answer may hold only part of a long span: ask on from where it ended, but not for ever. */
const maxRounds = 12;

/**
 * Asks until the answers reach the present, or bring nothing new. Points are (sinceMs, watermark].
 */
export async function readSpan(
  core: Core,
  wanted: ReadonlyMap<string, readonly Metric[]>,
  sinceMs: number,
  nowMs: number,
  signal?: AbortSignal,
): Promise<RawSeries[]> {
  const merged = new Map<string, RawSeries>();
  let fromMs = sinceMs;
  for (let round = 0; round < maxRounds; round += 1) {
    const newestByHost = new Map<string, number>();
    for (const series of await queryAll(core, wanted, fromMs, signal)) {
      const key = `${series.hostRef} ${series.counterId} ${series.instance}`;
      const before = merged.get(key);
      // A question for every instance may bring the sum once more: what is there already is no
      // news.
      const fresh = series.points.filter(
        (point) => point.tMs > Math.max(fromMs, before?.points.at(-1)?.tMs ?? 0),
      );
      const last = fresh.at(-1);
      if (!last) continue;
      newestByHost.set(series.hostRef, Math.max(newestByHost.get(series.hostRef) ?? 0, last.tMs));
      if (before) before.points.push(...fresh);
      else merged.set(key, { ...series, points: fresh });
    }
    if (newestByHost.size === 0) break;
    // Points beyond the watermark are asked for again: by then the slower hosts have theirs.
    fromMs = watermarkMs([...newestByHost.values()]);
    for (const series of merged.values())
      series.points = series.points.filter((point) => point.tMs <= fromMs);
    if (fromMs >= nowMs - 3 * periodMs) break;
  }
  return [...merged.values()];
}

async function queryAll(
  core: Core,
  wanted: ReadonlyMap<string, readonly Metric[]>,
  fromMs: number,
  signal?: AbortSignal,
): Promise<RawSeries[]> {
  const specs = [...wanted].map(([host, metrics]) => ({
    host,
    xml: querySpec(host, metrics, fromMs),
  }));
  const all: RawSeries[] = [];
  for (let i = 0; i < specs.length; i += hostsPerCall)
    all.push(...(await queryBatch(core, specs.slice(i, i + hostsPerCall), signal)));
  return all;
}

interface Spec {
  host: string;
  xml: string;
}
/**
 * One faulting host faults the whole call: then each is asked alone, and only where all fail it is
 * an error.
 */
async function queryBatch(
  core: Core,
  specs: readonly Spec[],
  signal?: AbortSignal,
): Promise<RawSeries[]> {
  const ask = async (part: readonly Spec[]): Promise<RawSeries[]> =>
    decodeQueryPerf(
      returned(
        await core.call(
          'QueryPerf',
          core.content().perfManager,
          part.map((spec) => spec.xml).join(''),
          { signal },
        ),
      ),
    );
  try {
    return await ask(specs);
  } catch (error) {
    const fault = faultName(error);
    if (fault === null || fault === 'NotAuthenticated' || specs.length === 1) throw error;
    const failures: unknown[] = [];
    const series: RawSeries[] = [];
    for (const spec of specs) {
      try {
        series.push(...(await ask([spec])));
      } catch (alone) {
        if (faultName(alone) === null || faultName(alone) === 'NotAuthenticated') throw alone;
        failures.push(alone);
        core.log.warn('A host gives no counters', {
          vcenter: core.connection.name,
          host: spec.host,
          error: toAppError(alone).message,
        });
      }
    }
    if (failures.length === specs.length) throw failures[0];
    return series;
  }
}

function querySpec(host: string, metrics: readonly Metric[], fromMs: number): string {
  return group(
    'querySpec',
    refElement('entity', { type: 'HostSystem', id: host }),
    element('startTime', new Date(fromMs).toISOString()),
    ...metrics.map(({ counterId, instance }) =>
      group('metricId', element('counterId', counterId), element('instance', instance)),
    ),
    element('intervalId', periodMs / 1_000),
    element('format', 'csv'),
  );
}
