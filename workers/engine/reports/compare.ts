import { AppError } from '../../../src/core/base/errors.ts';
import {
  type ComparedRun,
  type Comparison,
  type Distributions,
  presentRows,
  rowSpecs,
} from '../../../src/core/compare/index.ts';
import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import { compareReport } from '../../../src/core/report/compareReport.ts';
import type { OverlayRow } from '../../../src/core/report/compareReportInput.ts';
import type { Report } from '../../../src/core/report/model.ts';
import { overlayLine } from '../../../src/core/report/overlay.ts';
import type { Handlers } from '../../../src/wire/contract.ts';
import type { CompareService } from '../compare/service.ts';
import type { SampleStore } from '../db/types.ts';

/**
 * Metrics whose distributions a report draws; the others are named. A page has room for two pairs.
 */
const drawnAtMost = 6;

export interface CompareReportPeers {
  compare: CompareService;
  samples: Pick<SampleStore, 'read' | 'aggregate'>;
  diagnose: Handlers['run.diagnose'];
  version: string;
  now: () => number;
}
/**
 * Tells how far it is, and gives way to other work; throws `aborted` when nobody waits any more.
 */
export type Step = (words: string, done: number, total: number) => Promise<void>;

/** The report of a comparison, and the runs in it. */
export async function makeCompareReport(
  peers: CompareReportPeers,
  {
    baselineId,
    ids,
    referenceId,
  }: { baselineId: string; ids: readonly string[]; referenceId?: string | undefined },
  step: Step,
  signal: AbortSignal,
): Promise<{ report: Report; runs: readonly ComparedRun[] }> {
  const { compare, samples, version, now } = peers;
  const total = ids.length + 4;
  await step('Runs are compared', 0, total);
  const comparison = await compare.compare(baselineId, ids, signal, referenceId);
  const runs = await compare.digests(
    comparison.runs.map((r) => r.id),
    signal,
    comparison.scoredAgainst?.id,
  );
  await step('Distributions are made', 1, total);
  const { drawn, undrawn } = await distributionsOf(compare, comparison, signal);
  const overlays = await overlaysOf(runs, samples, (done) =>
    step('Lines are drawn', 2 + done, total),
  );
  await step('The difference is explained', total - 1, total);
  const diagnosis =
    comparison.guards.length === 0 && runs.length === 2
      ? await explained(peers.diagnose, runs[0]!.summary.id, runs[1]!.summary.id, signal)
      : null;
  return {
    runs,
    report: compareReport({
      comparison,
      records: runs.map((r) => r.record),
      distributions: drawn,
      undrawn,
      overlays,
      diagnosis,
      appVersion: version,
      madeAtMs: now(),
    }),
  };
}

/**
 * null where one of them never reached its steady state: the report then has nothing to explain,
 * and says so elsewhere.
 */
async function explained(
  diagnose: Handlers['run.diagnose'],
  passId: string,
  failId: string,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<Handlers['run.diagnose']>> | null> {
  try {
    return await diagnose({ passId, failId }, signal);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.kind === 'conflict') return null;
    throw thrown;
  }
}

async function distributionsOf(
  compare: CompareService,
  { baselineId, runs }: Comparison,
  signal: AbortSignal,
): Promise<{ drawn: Distributions[]; undrawn: string[] }> {
  const ids = runs.slice(1).map((r) => r.id);
  const first = await compare
    .distributions(baselineId, ids, undefined, signal)
    .catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.kind === 'notFound') return null;
      throw thrown;
    });
  if (first === null) return { drawn: [], undrawn: [] };
  const drawn: Distributions[] = [];
  for (const { key } of first.keys) {
    if (drawn.length === drawnAtMost) break;
    const data =
      key === first.key ? first : await compare.distributions(baselineId, ids, key, signal);
    // Errors that never came have no distribution worth a picture.
    if (!data.runs.every((r) => r.box === null || (r.box.min === 0 && r.box.max === 0)))
      drawn.push(data);
  }
  return {
    drawn,
    undrawn: first.keys.filter(({ key }) => !drawn.some((d) => d.key === key)).map((k) => k.label),
  };
}

async function overlaysOf(
  runs: readonly ComparedRun[],
  samples: Pick<SampleStore, 'read'>,
  step: (done: number) => Promise<void>,
): Promise<OverlayRow[]> {
  const keys = presentRows(runs).map((spec) => spec.key);
  const lines = new Map<string, OverlayRow['lines'][number][]>(keys.map((key) => [key, []]));
  for (const [i, run] of runs.entries()) {
    await step(i);
    const { overview } = run.record;
    const read = (def: SeriesDef) =>
      samples.read(overview.id, [def.id], { maxPoints: 0 })[0] ?? {
        tMs: new Float64Array(),
        value: new Float64Array(),
      };
    const specs = new Map(rowSpecs(runs).map((spec) => [spec.key, spec]));
    for (const key of keys) {
      lines.get(key)!.push(overlayLine(specs.get(key)!, run, read));
      await step(i);
    }
  }
  const specs = presentRows(runs);
  return specs
    .map((spec): OverlayRow => ({
      label: spec.label,
      unit: spec.unit,
      lines: lines.get(spec.key)!,
    }))
    .filter((row) => row.lines.some((line) => line !== null));
}
