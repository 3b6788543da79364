import type { MetricName } from '../metric/metric.ts';
import { mean } from '../stats/summary.ts';
import type { Evidence } from './diagnosis.ts';
import { align, type Case, coverage, evidence, shares } from './diagnosisEvidence.ts';
import { factor, type RunFeatures, type StoreFeature, type Trace } from './diagnosisFeatures.ts';
import { queueIsFull, queueRows, sayFullest } from './diagnosisQueue.ts';
import {
  anyFull,
  type Candidate,
  explains,
  riseWeight,
  type Rule,
  sayMost,
  worstOf,
} from './diagnosisRule.ts';
import { level, type Threshold, thresholds } from './diagnosisThresholds.ts';
import { vmsByDisk } from './diagnosisVms.ts';

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
 * `rise`: device latency over the first run's; `work`: commands over the first run's; `asked`: VMs
 * on it over the first run's; `base`: device latency at equal, little work in both runs.
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

/** Commands under way at a device, by Little's law; null where it was not measured. */
const inFlight = (store: StoreFeature | undefined): number | null =>
  store?.iops && store.deviceMs ? (store.iops.mean * store.deviceMs.mean) / 1_000 : null;

/**
 * Part of the commands asked for beyond the first run that waits at the device instead of getting
 * done, by Little's law: what is under way there grew by as much as was asked, its commands a second
 * did not. 0 where no more was asked of all that loads it, or a figure is missing.
 */
function waitingThere({ after, more }: Case, { store, was, work }: Reading): number {
  const loads = after.workloads.filter((one) => one.storeRefs.includes(store.ref));
  const underWay = factor(inFlight(was), inFlight(store));
  if (more === null || more.factor <= 1 || work === null || underWay === null) return 0;
  if (loads.length === 0 || loads.some((one) => one.workloadId !== more.workloadId)) return 0;
  const added = Math.min(1, (underWay - 1) / (more.factor - 1));
  return Math.max(0, added - Math.max(0, work - 1) / (more.factor - 1));
}

/** What a datastore's counters say in both runs; what was not measured has no row. */
function rows(of: Case, { store, was, rise, base, baseWas }: Reading): Evidence[] {
  const row = (said: Omit<Parameters<typeof evidence>[1], 'id' | 'name'>): Evidence =>
    evidence(of, { ...said, id: store.ref, name: store.name });
  const measured = (
    key: 'deviceMs' | 'kernelMs' | 'queueMs' | 'iops' | 'abortedPerS',
    metric: MetricName,
    label: string,
    unit: string,
    threshold: Threshold | null,
  ): Evidence[] => {
    const trace = store[key];
    if (trace === null) return [];
    const { mean: after, seriesIds } = trace;
    return [row({ metric, label, unit, before: was?.[key]?.mean, after, threshold, seriesIds })];
  };
  const onDevice = { metric: 'deviceLatencyMs', seriesIds: store.deviceMs?.seriesIds } as const;
  return [
    ...measured('deviceMs', 'deviceLatencyMs', 'Device latency', 'ms', thresholds.device),
    ...(rise === null
      ? []
      : [
          row({
            ...onDevice,
            label: 'Device latency over the first run',
            unit: '×',
            before: 1,
            after: rise,
            threshold: thresholds.deviceRise,
          }),
        ]),
    ...measured('kernelMs', 'kernelLatencyMs', 'Kernel latency', 'ms', thresholds.queue),
    ...measured('queueMs', 'queueLatencyMs', 'Queue latency', 'ms', thresholds.queue),
    ...measured('iops', 'iops', 'Commands', 'IOPS', null),
    ...measured('abortedPerS', 'abortedPerS', 'Aborted commands', 'commands/s', thresholds.aborted),
    ...(base === null
      ? []
      : [
          row({
            ...onDevice,
            label: 'Device latency at equal commands a second',
            unit: 'ms',
            before: baseWas,
            after: base,
          }),
        ]),
    row({
      metric: null,
      label: 'Commands under way at the device (IOPS × device latency, Little)',
      unit: '',
      before: inFlight(was),
      after: inFlight(store),
    }),
    ...queueRows(of, store, was),
    ...(store.queueDepth === null
      ? []
      : [
          row({
            metric: null,
            label: 'Queue depth of the LUN',
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

const readingsOf = (of: Case): Reading[] =>
  of.after.stores.flatMap((store) => readingOf(of, store) ?? []);

/** What one rule says of one datastore. */
interface Claim extends Pick<Candidate, 'cause' | 'explanation' | 'remedy'> {
  /** 0 to 1; next to nothing makes no candidate. */
  strength: number;
  /** The counter that is held against `threshold` in time, and its figure in both runs. */
  trace: Trace | null;
  threshold: number;
  was: number | undefined;
  now: number;
}
function candidates(of: Case, reading: Reading, claim: Claim): Candidate[] {
  const { cause, strength, trace, threshold, was, now, explanation, remedy } = claim;
  const { store } = reading;
  if (strength < 0.05) return [];
  const on = coverage(of, sitsOn(store)),
    alignment = align(of, shares(trace, threshold), of.failing.find(sitsOn(store)));
  const rise = riseWeight(was, now, Math.max(3, now * 0.4));
  return [
    {
      cause,
      subjects: [store.name],
      refs: [store.ref],
      score: explains(strength, on, rise, alignment, 0.8),
      alignment,
      on,
      evidence: [...rows(of, reading), ...vmsByDisk(of, store.ref)],
      explanation,
      remedy,
    },
  ];
}

/*
 * Queue, spindles or a device that has become slower: told apart by where a command waits, and by
 * whether more commands get through.
 */

/** Commands wait in the hosts, not at the device. */
const findLunQueue = (of: Case): Candidate[] =>
  worstOf(
    readingsOf(of).flatMap((reading) => {
      const { store, was, kernel, device } = reading;
      return candidates(of, reading, {
        cause: 'lunQueue',
        // A device at its end fills any queue: more depth would not help it.
        // Where esxtop ran, a full queue is seen; else it follows from the time in the kernel.
        strength:
          Math.max(
            level(kernel, { from: 0.5, full: thresholds.queue.full }),
            queueIsFull(store) ?? 0,
          ) *
          (1 - 0.75 * deviceLevel(reading) * (kernel > 4 * device ? 0.5 : 1)),
        trace: store.queueMs ?? store.kernelMs,
        threshold: thresholds.queue.from,
        was: was?.kernelMs?.mean ?? was?.queueMs?.mean,
        now: kernel,
        explanation:
          `Commands to ${store.name} wait ${kernel.toFixed(1)} ms in the hosts' queue and ` +
          `${device.toFixed(1)} ms at the device: the queue is full before the device is.` +
          sayFullest(store),
        remedy: 'Raise the queue depth of the LUN or adapter, or spread the VMs over more LUNs.',
      });
    }),
  );

/** A device at the end of what it does. */
const findSpindles = (of: Case): Candidate[] =>
  worstOf(
    readingsOf(of).flatMap((reading) => {
      const { store, was, device, work, asked } = reading;
      const flat =
        work === null || asked === null || asked <= 1.05
          ? 0.9
          : Math.min(1, Math.max(0.35, 1 - ((work - 1) / (asked - 1)) * 0.6));
      const before = was?.deviceMs ? `, ${was.deviceMs.mean.toFixed(1)} ms before` : '';
      const more =
        asked !== null && asked > 1.05 ? ` where ${asked.toFixed(2)} × as many VMs ask` : '';
      const whose =
        work === null
          ? 'the device is'
          : `its commands a second became ${work.toFixed(2)} ×${more}: its disks are`;
      const waiting = level(waitingThere(of, reading), thresholds.waitingAtDevice);
      return candidates(of, reading, {
        cause: 'spindles',
        strength: Math.max(deviceLevel(reading) * flat, waiting) * (1 - 0.6 * slower(reading)),
        trace: store.deviceMs,
        // Fast disks are full at few milliseconds: there the first run is what it is held against.
        threshold: waiting > 0 ? (was?.deviceMs?.mean ?? 0) : riseFrom(reading),
        was: was?.deviceMs?.mean,
        now: device,
        explanation:
          `A command to ${store.name} takes ${device.toFixed(1)} ms at the device${before}, and ` +
          `${whose} at the end of what they do.`,
        remedy: 'Add disks to the LUN or cache to the array, or spread the VMs over more LUNs.',
      });
    }),
  );

/** A device that does the same work more slowly. */
const findSlowDevice = (of: Case): Candidate[] =>
  worstOf(
    readingsOf(of).flatMap((reading) => {
      const { store, was, device, work, rise, base, baseWas } = reading;
      return candidates(of, reading, {
        cause: 'deviceLatency',
        strength:
          slower(reading) *
          Math.max(deviceLevel(reading), 0.9 * level(rise, { from: 1.2, full: 1.8 })),
        trace: store.deviceMs,
        threshold: riseFrom(reading),
        was: was?.deviceMs?.mean,
        now: device,
        explanation:
          base !== null && baseWas !== null
            ? `For as many commands a second as in the first run ${store.name} takes ` +
              `${base.toFixed(1)} ms each, ${baseWas.toFixed(1)} ms there, and ` +
              `${device.toFixed(1)} ms in the steady state: the device itself has become slower, ` +
              'it is not only fuller.'
            : `${store.name} takes ${rise?.toFixed(1) ?? '?'} × as long for a command as before ` +
              `while its commands a second became ${work?.toFixed(2) ?? '?'} × for no more VMs: ` +
              'the device itself has become slower, it is not fuller.',
        remedy:
          'Look at the array: a rebuild, a failed disk or cache battery, a lost path, or ' +
          'somebody else on the same disks.',
      });
    }),
  );

const queueMs = ({ stores }: RunFeatures): number[] =>
  stores.map((store) => Math.max(store.kernelMs?.mean ?? 0, store.queueMs?.mean ?? 0));
const deviceMs = ({ stores }: RunFeatures): (number | undefined)[] =>
  stores.map((store) => store.deviceMs?.mean);
/** What is common to a device at its end and one that has become slower. */
const atDevice = {
  needs: ['deviceLatency'],
  isFull: (run) => anyFull(deviceMs(run), thresholds.device),
  cleared: (run) => sayMost(deviceMs(run), (most) => `At most ${most} ms at the device.`, 1),
} satisfies Omit<Rule, 'find'>;

export const lunQueue: Rule = {
  find: findLunQueue,
  needs: ['queueLatency'],
  isFull: (run) => anyFull(queueMs(run), thresholds.queue),
  cleared: (run) => sayMost(queueMs(run), (most) => `At most ${most} ms in the queue.`, 1),
};
export const spindles: Rule = { ...atDevice, find: findSpindles };
export const deviceLatency: Rule = { ...atDevice, find: findSlowDevice };
