import type { Cause } from '../../../../src/core/diagnosis/diagnosis.ts';
import type { LabSpec } from '../../../../src/core/lab/lab.ts';
import { type BaseLab, baseLab } from './baseLab.ts';
import { measure, type Measured, severity, slowest } from './measure.ts';
import { pairs, type Plant, plant, type PlantedCause, plantedCauses } from './plants.ts';
import { type Dice, dice } from './random.ts';

/**
 * Two labs that are one but for the tiles and for what was planted, and the limits their load must
 * keep.
 */
export interface PlantedCase {
  seed: number;
  planted: readonly Cause[];
  kinds: readonly string[];
  before: { spec: LabSpec; tiles: number };
  after: { spec: LabSpec; tiles: number; operations: boolean };
  /** Greatest mean latency in ms by kind. */
  limits: Readonly<Record<string, number>>;
}

type Wish = readonly (PlantedCause | 'none')[];
/**
 * What a seed is to be: each cause in turn, every fourth case two at once, one in twenty without a
 * cause in the lab.
 */
function wishOf(seed: number): Wish {
  if (seed % 20 === 19) return ['none'];
  if (seed % 4 === 0) return pairs[Math.floor(seed / 4) % pairs.length]!;
  return [plantedCauses[seed % plantedCauses.length]!];
}

const attempts = 150,
  bisections = 5;

/**
 * A case of a seed: a random lab with room for everything, in which the wish is made a bottleneck.
 * It counts as planted where the lab's model says so: with it limits break at the many tiles and
 * hold at the few, without it they hold; of two, each alone still breaks them. Labs in which that
 * cannot be had are thrown away. null = none found.
 */
export function plantedCase(seed: number): PlantedCase | null {
  const wish = wishOf(seed);
  if (wish[0] === 'operations') return operationsCase(seed, 0);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const random = dice(seed * 1_000 + attempt);
    const base = baseLab(seed, random);
    const made = tryPlant(seed, wish, base, random);
    if (made !== null) return made;
  }
  return null;
}

function tryPlant(seed: number, wish: Wish, base: BaseLab, random: Dice): PlantedCase | null {
  const plants = wish.map((cause) => plant(cause, base, random)),
    { spec, kinds, few } = base;
  // A fault may come without another tile.
  const many = plants.every((one) => !one.always) && random.next() < 0.6 ? few : base.many;
  const margin = random.between(1.5, 2.2);
  const planted = wish.flatMap((cause) => (cause === 'none' ? [] : [cause]));
  const goal = random.between(1.25, 2.2);
  const strengths: number[] = [];
  for (const one of plants) {
    const found = strengthFor(one, base, many, margin, goal);
    if (found === null) return null;
    strengths.push(found);
  }
  const withPlants = (from: LabSpec, chosen: readonly Plant[]): LabSpec =>
    chosen.reduce((now, one) => one.apply(now, strengths[plants.indexOf(one)]!), from);
  const before = withPlants(
      spec,
      plants.filter((one) => one.always),
    ),
    after = withPlants(spec, plants);
  const limits = limitsOf(before, few, kinds, margin);
  const over = (of: LabSpec, tiles: number): number => severity(measure(of, tiles, kinds), limits);
  if (over(after, many) < 1.15) return null;
  // Without what was planted limits hold; of two, each alone still breaks them.
  if (!limitsHold(spec, plants, strengths, base, many, limits)) return null;
  if (plants.length > 1 && plants.some((one) => over(withPlants(spec, [one]), many) < 1.08))
    return null;
  const reached = measure(after, many, kinds);
  // A cause that nothing would gain from being relieved of, as things are, is none yet.
  if (
    plants.length > 1 &&
    !plants.every((one) =>
      helps(
        reached,
        measure(
          withPlants(
            spec,
            plants.filter((other) => other !== one),
          ),
          many,
          kinds,
        ),
        limits,
      ),
    )
  )
    return null;
  if (wish.includes('cpuReady') && Math.max(...reached.hostCpuPct) > 80) return null;
  if (wish.includes('cpuSaturated') && Math.min(...reached.hostCpuPct) < 80) return null;
  return {
    seed,
    planted,
    kinds,
    limits,
    before: { spec: before, tiles: few },
    after: { spec: after, tiles: many, operations: false },
  };
}

/** A workload over its limit gains a quarter of its time. */
const helps = (
  now: Measured,
  relieved: Measured,
  limits: Readonly<Record<string, number>>,
): boolean =>
  [...now.latency].some(
    ([id, ms]) =>
      ms > limits[id.slice(id.indexOf('.') + 1)]! && relieved.latency.get(id)! < 0.75 * ms,
  );

/**
 * Without the plants: what was small is as large as it was. vCPUs that waited for processors have
 * more of them, of the same speed.
 */
function limitsHold(
  spec: LabSpec,
  plants: readonly Plant[],
  strengths: readonly number[],
  base: BaseLab,
  many: number,
  limits: Readonly<Record<string, number>>,
): boolean {
  const relieved = plants.reduce(
    (now, one) => one.relieve?.(now, strengths[plants.indexOf(one)]!) ?? now,
    spec,
  );
  return severity(measure(relieved, many, base.kinds), limits) < 1;
}

const limitsOf = (
  spec: LabSpec,
  tiles: number,
  kinds: readonly string[],
  margin: number,
): Record<string, number> =>
  Object.fromEntries(
    Object.entries(slowest(measure(spec, tiles, kinds), kinds)).map(([kind, ms]) => [
      kind,
      ms * margin,
    ]),
  );

/**
 * How strong a plant must be for the many tiles to be this far over limits that the few keep; null
 * = it cannot.
 */
function strengthFor(
  one: Plant,
  base: BaseLab,
  many: number,
  margin: number,
  goal: number,
): number | null {
  const { spec, kinds, few } = base;
  const over = (s: number): number => {
    const with_ = one.apply(spec, s);
    return severity(
      measure(with_, many, kinds),
      limitsOf(one.always ? with_ : spec, few, kinds, margin),
    );
  };
  // More is not always worse: beyond some strength the few tiles suffer as well. So from weak to
  // strong.
  let last = 0;
  for (let s = 0; s <= 1.0001; s += 1 / 12) {
    if (over(s) >= goal) {
      let low = last,
        high = s;
      for (let i = 0; i < bisections; i += 1) {
        const middle = (low + high) / 2;
        if (over(middle) >= goal) high = middle;
        else low = middle;
      }
      return high;
    }
    last = s;
  }
  return null;
}

/**
 * Operations beside the same load: disks copied and VMs moved all the time. The model alone does
 * not run them: whether they break a limit shows when they run; later attempts have fewer disks.
 */
export function operationsCase(seed: number, attempt: number): PlantedCase {
  let random = dice(seed * 1_000 + attempt),
    base = baseLab(seed, random);
  // A disk needs somewhere to go.
  for (let again = 1; base.spec.datastores.length < 2; again += 1) {
    random = dice(seed * 1_000 + attempt + again * 17);
    base = baseLab(seed, random);
  }
  const margin = random.between(1.25, 1.4);
  const { spec, kinds, few } = base;
  const disks = [12, 10, 8, 6, 6, 4, 4, 2][attempt] ?? 2;
  const slower: LabSpec = {
    ...spec,
    luns: spec.luns.map((lun) => ({ ...lun, disks })),
    vms: spec.vms.map((vm) => ({ ...vm, diskGb: random.pick([4, 8]) })),
    vmotion: { mbps: 60, cpuMhz: 6_000 },
  };
  const limits = limitsOf(slower, few, kinds, margin);
  return {
    seed,
    planted: ['operations'],
    kinds,
    limits,
    before: { spec: slower, tiles: few },
    after: { spec: slower, tiles: few, operations: true },
  };
}
