import { toAppError } from '../../../src/core/base/errors.ts';
import type { Core } from './core.ts';
import { watermarkMs } from './perfAggregate.ts';
import { decodeQueryPerf, periodMs, type RawSeries } from './perfDecode.ts';
import { element, faultName, group, refElement, returned } from './soap.ts';

/** One counter of an entity; an instance of '' is its sum, of '*' each of its parts. */
export interface Metric {
  counterId: number;
  instance: string;
}
/** What is asked: by the reference of each entity, its counters. All are of one type. */
export interface Wanted {
  type: 'HostSystem' | 'VirtualMachine';
  metrics: ReadonlyMap<string, readonly Metric[]>;
}

const entitiesPerCall = 32;
/** An answer may hold only part of a long span: ask on from where it ended, but not for ever. */
const maxRounds = 12;

/**
 * Asks until the answers reach the present, or bring nothing new. Points are (sinceMs, watermark].
 */
export async function readSpan(
  core: Core,
  wanted: Wanted,
  sinceMs: number,
  nowMs: number,
  signal?: AbortSignal,
): Promise<RawSeries[]> {
  const merged = new Map<string, RawSeries>();
  let fromMs = sinceMs;
  for (let round = 0; round < maxRounds; round += 1) {
    const newestByEntity = new Map<string, number>();
    for (const series of await queryAll(core, wanted, fromMs, signal)) {
      const key = `${series.ref} ${series.counterId} ${series.instance}`;
      const before = merged.get(key);
      // A question for every instance may bring the sum once more: what is there already is no
      // news.
      const fresh = series.points.filter(
        (point) => point.tMs > Math.max(fromMs, before?.points.at(-1)?.tMs ?? 0),
      );
      const last = fresh.at(-1);
      if (!last) continue;
      newestByEntity.set(series.ref, Math.max(newestByEntity.get(series.ref) ?? 0, last.tMs));
      if (before) before.points.push(...fresh);
      else merged.set(key, { ...series, points: fresh });
    }
    if (newestByEntity.size === 0) break;
    // Points beyond the watermark are asked for again: by then the slower ones have theirs.
    fromMs = watermarkMs([...newestByEntity.values()]);
    for (const series of merged.values())
      series.points = series.points.filter((point) => point.tMs <= fromMs);
    if (fromMs >= nowMs - 3 * periodMs) break;
  }
  return [...merged.values()];
}

async function queryAll(
  core: Core,
  wanted: Wanted,
  fromMs: number,
  signal?: AbortSignal,
): Promise<RawSeries[]> {
  const specs = [...wanted.metrics].map(([ref, metrics]) => ({
    ref,
    xml: querySpec({ type: wanted.type, id: ref }, metrics, fromMs),
  }));
  const all: RawSeries[] = [];
  for (let i = 0; i < specs.length; i += entitiesPerCall)
    all.push(...(await queryBatch(core, specs.slice(i, i + entitiesPerCall), signal)));
  return all;
}

interface Spec {
  ref: string;
  xml: string;
}
/**
 * One faulting entity faults the whole call: then each is asked alone, and only where all fail it is
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
        core.log.warn('A host or VM gives no counters', {
          vcenter: core.connection.name,
          ref: spec.ref,
          error: toAppError(alone).message,
        });
      }
    }
    if (failures.length === specs.length) throw failures[0];
    return series;
  }
}

function querySpec(
  entity: { type: Wanted['type']; id: string },
  metrics: readonly Metric[],
  fromMs: number,
): string {
  return group(
    'querySpec',
    refElement('entity', entity),
    element('startTime', new Date(fromMs).toISOString()),
    ...metrics.map(({ counterId, instance }) =>
      group('metricId', element('counterId', counterId), element('instance', instance)),
    ),
    element('intervalId', periodMs / 1_000),
    element('format', 'csv'),
  );
}
