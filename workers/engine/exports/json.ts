import type { SeriesData, SeriesDef } from '../../../src/core/metric/metric.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { snapshotHash } from '../../../src/core/snapshot/snapshot.ts';
import { snapshotOfRun } from '../../../src/core/snapshot/snapshotTake.ts';
import type { WriteSeries } from './seriesPages.ts';

/**
 * Everything of a run but its samples; the record holds no secret, and connections stay out
 * altogether.
 */
export function jsonHead(record: RunRecord): string {
  const {
    overview,
    plan,
    testbed,
    profile,
    clients,
    clientsAfter,
    inventoryBefore,
    inventoryAfter,
    planHash,
    appVersion,
  } = record;
  const { series: _series, rev: _rev, nowMs: _nowMs, ...run } = overview;
  const hashOf = (when: 'before' | 'after'): string | null => {
    const snapshot = snapshotOfRun(record, when);
    return snapshot && snapshotHash(snapshot);
  };
  const head = JSON.stringify({
    tilebenchRun: 1,
    origin: overview.origin,
    appVersion,
    planHash,
    run,
    plan,
    testbed,
    profile,
    clients,
    clientsAfter,
    inventoryBefore,
    inventoryAfter,
    setupHash: { before: hashOf('before'), after: hashOf('after') },
  });
  return `${head.slice(0, -1)},"series":[`;
}

/** One series: what it is, and its samples as two arrays of one length. */
function jsonOfSeries(def: SeriesDef, { tMs, value }: SeriesData): string {
  return `\n${JSON.stringify({ ...def, tMs: [...tMs], value: [...value] })}`;
}

/** One page: the head before the first series, the end after the last. */
export const jsonPage: WriteSeries = (record, page, data, { first, last }) =>
  Buffer.from(
    (first ? jsonHead(record) : '') +
      page.map((def, i) => (first && i === 0 ? '' : ',') + jsonOfSeries(def, data[i]!)).join('') +
      (last ? '\n]}\n' : ''),
  );
