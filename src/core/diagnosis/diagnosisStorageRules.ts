import { mean } from '../stats/summary.ts';
import {
  align,
  alignmentWeight,
  type Case,
  coverage,
  evidence,
  shares,
} from './diagnosisEvidence.ts';
import { factor, type RunFeatures, type StoreFeature, type Trace } from './diagnosisFeatures.ts';
import { riseWeight, worstOf } from './diagnosisHostRules.ts';
import { level, thresholds } from './diagnosisThresholds.ts';
import type { Candidate } from './diagnosisTypes.ts';

const storeOf = (run: RunFeatures | null, ref: string): StoreFeature | undefined =>
  run?.stores.find((store) => store.ref === ref);
const loadOn = (run: RunFeatures | null, ref: string): number =>
  (run?.workloads ?? []).filter((one) => one.storeRefs.includes(ref)).length;
/**
 * Below this share of the commands of the first run a device does less work: it is slower, not
 * fuller.
 */
const lessWork = 0.8;

interface Reading {
  store: StoreFeature;
  was: StoreFeature | undefined;
  device: number;
  kernel: number;
  rise: number | null;
  work: number | null;
  asked: number | null;
  base: number | null;
  baseWas: number | null;
}

/**
 * `rise`: device latency over the first run's; `work`: commands over the first run's; `asked`: VMs on it over the first run's; `base`: device latency at equal, little work in both runs.
 */
function readingOf(of: Case, store: StoreFeature): Reading | null {
  const device = store.deviceMs?.mean,
    kernel = Math.max(store.kernelMs?.mean ?? 0, store.queueMs?.mean ?? 0);
  if (device === undefined && store.kernelMs === null && store.queueMs === null) return null;
  const was = storeOf(of.before, store.ref),
    before = loadOn(of.before, store.ref);
  return {
    store,
    was,
    device: device ?? 0,
    kernel,
    rise: factor(was?.deviceMs?.mean, device),
    work: factor(was?.iops?.mean, store.iops?.mean),
    asked: before > 0 ? loadOn(of.after, store.ref) / before : null,
    ...bases(of, store, was),
  };
}

/** Steps with commands, the quietest first: the beginning of the ramp-up, as a rule. */
const steps = (store: StoreFeature): { iops: number; ms: number }[] =>
  (store.iops?.buckets ?? [])
    .map((iops, i) => ({ iops: iops ?? 0, ms: store.deviceMs?.buckets[i] ?? 0 }))
    .filter((one) => one.iops > 0 && one.ms > 0)
    .sort((a, b) => a.iops - b.iops);
/**
 * Steps of the two runs are held side by side where their commands differ by less than this factor;
 * so many of the quietest.
 */
const alike = 1.3,
  quietest = 2;
/**
 * Nearer than this to the most that was seen a device waits for itself: there latency says nothing
 * of the device alone.
 */
const quietShare = 0.6;
/** Device latency at equal, little work in both runs; null where they never had the same to do. */
function bases(
  of: Case,
  store: StoreFeature,
  was: StoreFeature | undefined,
): Pick<Reading, 'base' | 'baseWas'> {
  if (was === undefined || of.before?.runId === of.after.runId)
    return { base: null, baseWas: null };
  const then = steps(was);
  const apart = (a: number, b: number): number => Math.max(a / b, b / a);
  const all = steps(store),
    most = quietShare * Math.max(...all.map((one) => one.iops), ...then.map((one) => one.iops));
  const pairs = all
    .filter((one) => one.iops < most)
    .flatMap((now) => {
      const match = then.reduce<{ iops: number; ms: number } | null>(
        (best, one) =>
          best === null || apart(one.iops, now.iops) < apart(best.iops, now.iops) ? one : best,
        null,
      );
      return match !== null && apart(match.iops, now.iops) < alike
        ? [{ now: now.ms, then: match.ms }]
        : [];
    })
    .slice(0, quietest);
  return pairs.length === 0
    ? { base: null, baseWas: null }
    : { base: mean(pairs.map((one) => one.now)), baseWas: mean(pairs.map((one) => one.then)) };
}

function rows(
  of: Case,
  { store, was, rise, base, baseWas }: Reading,
): ReturnType<typeof evidence>[] {
  const row = (
    metric: 'deviceLatencyMs' | 'queueLatencyMs' | 'kernelLatencyMs' | 'iops',
    label: string,
    unit: string,
    trace: Trace | null,
    before: Trace | null | undefined,
    threshold: (typeof thresholds)[keyof typeof thresholds] | null = null,
  ) =>
    trace === null
      ? []
      : [
          evidence(of, {
            metric,
            label,
            id: store.ref,
            name: store.name,
            unit,
            before: before?.mean,
            after: trace.mean,
            threshold,
            seriesIds: trace.seriesIds,
          }),
        ];
  const inFlight = (one: StoreFeature | undefined): number | null =>
    one?.iops && one.deviceMs ? (one.iops.mean * one.deviceMs.mean) / 1_000 : null;
  return [
    ...row(
      'deviceLatencyMs',
      'Device latency',
      'ms',
      store.deviceMs,
      was?.deviceMs,
      thresholds.device,
    ),
    ...(rise === null
      ? []
      : [
          evidence(of, {
            metric: 'deviceLatencyMs',
            label: 'Device latency over the first run',
            id: store.ref,
            name: store.name,
            unit: '×',
            before: 1,
            after: rise,
            threshold: thresholds.deviceRise,
            seriesIds: store.deviceMs?.seriesIds,
          }),
        ]),
    ...row(
      'kernelLatencyMs',
      'Kernel latency',
      'ms',
      store.kernelMs,
      was?.kernelMs,
      thresholds.queue,
    ),
    ...row('queueLatencyMs', 'Queue latency', 'ms', store.queueMs, was?.queueMs, thresholds.queue),
    ...row('iops', 'Commands', 'IOPS', store.iops, was?.iops),
    ...(base === null
      ? []
      : [
          evidence(of, {
            metric: 'deviceLatencyMs',
            label: 'Device latency at equal commands a second',
            id: store.ref,
            name: store.name,
            unit: 'ms',
            before: baseWas,
            after: base,
            seriesIds: store.deviceMs?.seriesIds,
          }),
        ]),
    evidence(of, {
      metric: null,
      label: 'Commands under way at the device (IOPS × device latency, Little)',
      id: store.ref,
      name: store.name,
      unit: '',
      before: inFlight(was),
      after: inFlight(store),
    }),
    ...(store.queueDepth === null
      ? []
      : [
          evidence(of, {
            metric: null,
            label: 'Queue depth of the LUN',
            id: store.ref,
            name: store.name,
            unit: 'commands',
            before: was?.queueDepth,
            after: store.queueDepth,
          }),
        ]),
  ];
}

/** Share of a failing workload's worst on this datastore. */
const sitsOn =
  (store: StoreFeature) =>
  (one: Case['failing'][number]): boolean =>
    one.workload.storeRefs.includes(store.ref);

/**
 * How far device latency speaks of a device at its end: high, and higher than before. Below the
 * guide's threshold a rise counts by half.
 */
const deviceLevel = ({ device, rise }: Reading): number => {
  const high = level(device, { from: thresholds.device.from - 3, full: thresholds.device.full }),
    risen = rise === null ? 0 : level(rise, thresholds.deviceRise);
  return Math.max(
    high * (rise === null ? 0.8 : 0.25 + 0.75 * risen),
    rise === null
      ? 0
      : 0.75 * level(rise, { from: 1.4, full: 2.2 }) * level(device, { from: 4, full: 9 }),
  );
};
/**
 * Where device latency counts as risen: at the guide's threshold, or by what latencies do not vary
 * by.
 */
const riseFrom = ({ was }: Reading): number =>
  Math.min(thresholds.device.from, thresholds.deviceRise.from * (was?.deviceMs?.mean ?? Infinity));
/**
 * How far the device itself is slower: at equal work, or, where that is not known, for no more
 * commands.
 */
const slower = (reading: Reading): number => {
  const { base, baseWas, rise, work, asked } = reading;
  if (base !== null && baseWas !== null && baseWas > 0)
    return level(base / baseWas, thresholds.deviceBase);
  return (asked ?? 1) <= 1.05 && rise !== null && work !== null && work < 1.03
    ? level(rise, { from: 1.3, full: 1.8 }) * (work < lessWork ? 1 : 0.8)
    : 0;
};

/**
 * Queue, spindles or a device that has become slower: told apart by where a command waits, and by
 * whether more commands get through.
 */
export function storageRules(of: Case): Candidate[] {
  const readings = of.after.stores.flatMap((store) => readingOf(of, store) ?? []);
  const make = (
    reading: Reading,
    cause: Candidate['cause'],
    strength: number,
    trace: Trace | null,
    threshold: number,
    was: number | undefined,
    now: number,
    explanation: string,
    remedy: string,
  ): Candidate[] => {
    if (strength < 0.05) return [];
    const on = coverage(of, sitsOn(reading.store)),
      alignment = align(of, shares(trace, threshold), of.failing.find(sitsOn(reading.store)));
    const score =
      strength *
      (0.35 + 0.65 * on.share) *
      riseWeight(was, now, Math.max(3, now * 0.4)) *
      Math.max(0.8, alignmentWeight(alignment));
    return [
      {
        cause,
        subjects: [reading.store.name],
        refs: [reading.store.ref],
        score,
        alignment,
        on,
        evidence: rows(of, reading),
        explanation,
        remedy,
      },
    ];
  };
  const queue = readings.flatMap((reading) => {
    const { store, was, kernel, device } = reading;
    // A device at its end fills any queue: more depth would not help it.
    const strength =
      level(kernel, { from: 0.5, full: thresholds.queue.full }) *
      (1 - 0.75 * deviceLevel(reading) * (kernel > 4 * device ? 0.5 : 1));
    return make(
      reading,
      'lunQueue',
      strength,
      store.queueMs ?? store.kernelMs,
      thresholds.queue.from,
      was?.kernelMs?.mean ?? was?.queueMs?.mean,
      kernel,
      `Commands to ${store.name} wait ${kernel.toFixed(1)} ms in the hosts' queue and ` +
        `${device.toFixed(1)} ms at the device: the queue is full before the device is.`,
      'Raise the queue depth of the LUN or adapter, or spread the VMs over more LUNs.',
    );
  });
  const spindles = readings.flatMap((reading) => {
    const { store, was, device, work, asked } = reading;
    const flat =
      work === null || asked === null || asked <= 1.05
        ? 0.9
        : Math.min(1, Math.max(0.35, 1 - ((work - 1) / (asked - 1)) * 0.6));
    return make(
      reading,
      'spindles',
      deviceLevel(reading) * flat * (1 - 0.6 * slower(reading)),
      store.deviceMs,
      riseFrom(reading),
      was?.deviceMs?.mean,
      device,
      `A command to ${store.name} takes ${device.toFixed(1)} ms at the ` +
        `device${was?.deviceMs ? `, ${was.deviceMs.mean.toFixed(1)} ms before` : ''}, and ` +
        `${work === null ? 'the device is' : `its commands a second became ${work.toFixed(2)} ×${asked !== null && asked > 1.05 ? ` where ${asked.toFixed(2)} × as many VMs ask` : ''}: its disks are`} ` +
        'at the end of what they do.',
      'Add disks to the LUN or cache to the array, or spread the VMs over more LUNs.',
    );
  });
  const slow = readings.flatMap((reading) => {
    const { store, was, device, work, rise, base, baseWas } = reading;
    return make(
      reading,
      'deviceLatency',
      slower(reading) * Math.max(deviceLevel(reading), 0.9 * level(rise, { from: 1.2, full: 1.8 })),
      store.deviceMs,
      riseFrom(reading),
      was?.deviceMs?.mean,
      device,
      base !== null && baseWas !== null
        ? `For as many commands a second as in the first run ${store.name} takes ` +
            `${base.toFixed(1)} ms each, ${baseWas.toFixed(1)} ms there, and ` +
            `${device.toFixed(1)} ms in the steady state: the device itself has become slower, ` +
            'it is not only fuller.'
        : `${store.name} takes ${rise?.toFixed(1) ?? '?'} × as long for a command as before ` +
            `while its commands a second became ${work?.toFixed(2) ?? '?'} × for no more VMs: ` +
            'the device itself has become slower, it is not fuller.',
      'Look at the array: a rebuild, a failed disk or cache battery, a lost path, or somebody else on the same disks.',
    );
  });
  return [...worstOf(queue), ...worstOf(spindles), ...worstOf(slow)];
}
