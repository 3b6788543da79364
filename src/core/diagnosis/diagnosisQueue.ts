import type { Evidence } from './diagnosis.ts';
import { type Case, evidence } from './diagnosisEvidence.ts';
import type { StoreFeature } from './diagnosisFeatures.ts';
import { level, thresholds } from './diagnosisThresholds.ts';

/** The fullest queue as esxtop saw it: commands under way and waiting, against its slots. */
export function queueRows(
  of: Case,
  store: StoreFeature,
  was: StoreFeature | undefined,
): Evidence[] {
  const { fullest } = store;
  if (fullest === null) return [];
  const row = (said: Omit<Parameters<typeof evidence>[1], 'id' | 'name'>): Evidence =>
    evidence(of, { ...said, id: store.ref, name: `${store.name} on ${fullest.host}` });
  const before = was?.fullest;
  return [
    ...(fullest.active === null
      ? []
      : [
          row({
            metric: 'queueDepth',
            label:
              fullest.slots === null
                ? 'Active commands by esxtop (ACTV)'
                : `Active commands by esxtop (ACTV), of ${fullest.slots.toFixed(0)} slots`,
            unit: 'commands',
            before: before?.active?.mean,
            after: fullest.active.mean,
            seriesIds: fullest.active.seriesIds,
          }),
        ]),
    row({
      metric: 'queuedCommands',
      label: 'Queued commands by esxtop (QUED)',
      unit: 'commands',
      before: before?.queued.mean,
      after: fullest.queued.mean,
      threshold: thresholds.queued,
      seriesIds: fullest.queued.seriesIds,
    }),
  ];
}

/** What esxtop adds, as a sentence. */
export function sayFullest({ fullest }: StoreFeature): string {
  if (fullest === null || fullest.active === null || fullest.slots === null) return '';
  return (
    ` On ${fullest.host} esxtop saw ${fullest.active.mean.toFixed(0)} of its ` +
    `${fullest.slots.toFixed(0)} slots taken and ${fullest.queued.mean.toFixed(1)} commands waiting.`
  );
}

/** A queue counts as full from this share of its slots on: what is sampled has just left it. */
const fullSlots = 0.85;
/** How far commands wait for a slot because all of them are taken; null = esxtop did not run. */
export function queueIsFull({ fullest }: StoreFeature): number | null {
  if (fullest === null) return null;
  const { slots, active, queued } = fullest;
  const taken =
    slots === null || slots <= 0 || active === null ? 1 : active.mean / slots / fullSlots;
  return level(queued.mean, thresholds.queued) * Math.min(1, taken);
}
