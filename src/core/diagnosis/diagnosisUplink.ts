import type { Evidence } from './diagnosis.ts';
import { align, type Case, coverage, evidence } from './diagnosisEvidence.ts';
import type { RunFeatures, UplinkFeature } from './diagnosisFeatures.ts';
import {
  anyFull,
  type Candidate,
  explains,
  riseWeight,
  type Rule,
  sayMost,
  worstOf,
} from './diagnosisRule.ts';
import { level, thresholds } from './diagnosisThresholds.ts';
import { vmsByDrops, vmsByPackets } from './diagnosisVms.ts';

/**
 * What a frame takes of a link beside the bytes that are counted: preamble and start 8, check
 * sequence 4, gap 12 (IEEE 802.3).
 */
const wireBytesPerFrame = 24;
/** Less between bytes and wire is what full-size packets have: they are small where it is more. */
const smallPacketsPct = 10;

/** How far a link is used, in percent of its speed; what was not measured is null. */
interface LinkUse {
  /** Both directions together, as vCenter counts its bytes. */
  bytesPct: number | null;
  /** The same with what each packet takes on the wire; equal where packets are not counted. */
  wirePct: number | null;
  droppedPct: number | null;
}
const pctOf = (kBps: number, speedMbps: number): number => ((kBps * 8) / 1_000 / speedMbps) * 100;

/** Of a mean, or of one step of the traces of an uplink. */
function useOf(
  { speedMbps, ...of }: UplinkFeature,
  pick: (trace: UplinkFeature['kbps']) => number | null,
): LinkUse {
  const kBps = pick(of.kbps),
    packets = pick(of.packetsPerS),
    droppedPct = pick(of.droppedPct);
  if (kBps === null || speedMbps === null || speedMbps <= 0)
    return { bytesPct: null, wirePct: null, droppedPct };
  return {
    bytesPct: pctOf(kBps, speedMbps),
    wirePct: pctOf(kBps + ((packets ?? 0) * wireBytesPerFrame) / 1_000, speedMbps),
    droppedPct,
  };
}
const meanUse = (uplink: UplinkFeature): LinkUse => useOf(uplink, (trace) => trace?.mean ?? null);

/** A full link, or one that throws packets away while it is full in bursts. */
const strengthOf = ({ wirePct, droppedPct }: LinkUse): number =>
  Math.max(
    level(wirePct, { from: thresholds.uplink.from - 10, full: thresholds.uplink.full }),
    level(droppedPct, thresholds.drops) * level(wirePct, thresholds.linkWithDrops),
  );

const speedWords = (mbps: number): string =>
  mbps >= 1_000 ? `${mbps / 1_000} Gb/s` : `${mbps} Mb/s`;

/** What is said of a link. */
function explanationOf(
  { name, kbps, packetsPerS }: UplinkFeature,
  { bytesPct, wirePct, droppedPct }: LinkUse,
  speedMbps: number,
): string {
  const speed = speedWords(speedMbps);
  const isSmall = wirePct! - bytesPct! >= smallPacketsPct;
  const bytesEach = ((kbps?.mean ?? 0) * 1_000) / (packetsPerS?.mean ?? NaN);
  const use = isSmall
    ? `${name} is bound by its packets: ${bytesPct!.toFixed(0)} % of its ${speed} in bytes are ` +
      `${wirePct!.toFixed(0)} % of the wire, for packets of ${bytesEach.toFixed(0)} bytes take ` +
      `${wireBytesPerFrame} more each.`
    : `${name} carries ${wirePct!.toFixed(0)} % of its ${speed}.`;
  return droppedPct !== null && droppedPct >= thresholds.drops.from
    ? `${use} ${droppedPct.toFixed(droppedPct < 1 ? 2 : 1)} % of its packets were dropped in the worse direction.`
    : use;
}

function rows(of: Case, uplink: UplinkFeature, use: LinkUse, was: LinkUse | null): Evidence[] {
  const row = (said: Omit<Parameters<typeof evidence>[1], 'id' | 'name'>): Evidence =>
    evidence(of, { ...said, id: uplink.id, name: uplink.name });
  const earlier = of.before?.uplinks.find((one) => one.id === uplink.id);
  return [
    row({
      metric: 'netKbps',
      label: uplink.packetsPerS === null ? 'Use of the link' : 'Use of the link, frames included',
      unit: '%',
      before: was?.wirePct,
      after: use.wirePct,
      threshold: thresholds.uplink,
      seriesIds: uplink.kbps?.seriesIds,
    }),
    row({
      metric: null,
      label: 'Link speed',
      unit: 'Mb/s',
      before: uplink.speedMbps,
      after: uplink.speedMbps,
    }),
    ...(uplink.packetsPerS === null
      ? []
      : [
          row({
            metric: 'packetsRxPerS',
            label: 'Packets, both directions',
            unit: 'packets/s',
            before: earlier?.packetsPerS?.mean,
            after: uplink.packetsPerS.mean,
            seriesIds: uplink.packetsPerS.seriesIds,
          }),
        ]),
    ...(uplink.droppedPct === null
      ? []
      : [
          row({
            metric: 'droppedTxPerS',
            label: 'Packets dropped, worse direction',
            unit: '%',
            before: was?.droppedPct,
            after: use.droppedPct,
            threshold: thresholds.drops,
            seriesIds: uplink.droppedPct.seriesIds,
          }),
        ]),
    ...vmsByPackets(of, uplink.hostRef),
    ...vmsByDrops(of, uplink.hostRef),
  ];
}

const findUplink = (of: Case): Candidate[] =>
  worstOf(
    of.after.uplinks.flatMap((uplink): Candidate[] => {
      const use = meanUse(uplink),
        strength = strengthOf(use);
      if (use.wirePct === null || uplink.speedMbps === null || strength < 0.05) return [];
      const earlier = of.before?.uplinks.find((one) => one.id === uplink.id);
      const was = earlier === undefined ? null : meanUse(earlier);
      const on = coverage(of, (one) => one.workload.hostRef === uplink.hostRef);
      const alignment = align(
        of,
        (uplink.kbps?.buckets ?? []).map((_value, i) => {
          const { wirePct } = useOf(uplink, (trace) => trace?.buckets[i] ?? null);
          return wirePct === null ? null : wirePct / thresholds.uplink.from;
        }),
        of.failing.find((one) => one.workload.hostRef === uplink.hostRef),
      );
      return [
        {
          cause: 'uplink',
          subjects: [uplink.name],
          refs: [uplink.id],
          alignment,
          on,
          score: explains(strength, on, riseWeight(was?.wirePct, use.wirePct, 15), alignment),
          evidence: rows(of, uplink, use, was),
          explanation: explanationOf(uplink, use, uplink.speedMbps),
          remedy: 'Add or team uplinks, or move VMs that talk much to other hosts.',
        },
      ];
    }),
  );

const linkUses = ({ uplinks }: RunFeatures): (number | null)[] =>
  uplinks.map((one) => meanUse(one).wirePct);
export const uplink: Rule = {
  find: findUplink,
  needs: ['uplinkUse'],
  isFull: (run) => anyFull(linkUses(run), thresholds.uplink),
  cleared: (run) => sayMost(linkUses(run), (most) => `Busiest link ${most} %.`),
};
