/**
 * Seeded noise that depends on nothing but (seed, entity, channel, second): readings are equal
 * whatever was read before. Counter-based, in the way of Salmon et al., "Parallel Random Numbers:
 * As Easy as 1, 2, 3" (SC 2011), with the finaliser of MurmurHash3 as the mixer.
 */
export interface Noise {
  /** Uniform in (0, 1). */
  uniform(entity: number, counter: number): number;
  /** Standard normal. */
  normal(entity: number, counter: number): number;
  /**
   * Mean over the seconds of (fromMs, toMs] of a unit-variance series: white by the second, with a
   * slow part by the minute.
   */
  mean(entity: number, fromMs: number, toMs: number): number;
}

/** 32-bit FNV-1a of a name. */
export function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Share of the variance in the slow part. */
const slowWeight = 0.35;
const fastWeight = Math.sqrt(1 - slowWeight * slowWeight);

/** Noise of one seed. */
export function createNoise(seed: number): Noise {
  const bits = (entity: number, counter: number): number => {
    // A counter of milliseconds or seconds does not fit 32 bits: both halves count.
    const low = counter | 0,
      high = Math.floor(counter / 4294967296) | 0;
    return mix(mix(mix(mix(seed | 0) ^ entity) + low) ^ Math.imul(high + 1, 0x9e3779b9)) >>> 0;
  };
  const uniform = (entity: number, counter: number): number =>
    (bits(entity, counter) + 0.5) / 4294967296;
  // Sum of four uniforms: close to normal, cheap, and never an outlier beyond 3.5 deviations.
  // Variance 4/12.
  const normal = (entity: number, counter: number): number => {
    const a = bits(entity, counter),
      b = bits(entity ^ 0x5bd1e995, counter);
    const sum = ((a & 0xffff) + (a >>> 16) + (b & 0xffff) + (b >>> 16) + 2) / 65536;
    return (sum - 2) * 1.7320508075688772;
  };
  const slow = (entity: number, second: number): number => {
    const minute = Math.floor(second / 60),
      part = second / 60 - minute;
    const a = normal(entity ^ 0x1b873593, minute),
      b = normal(entity ^ 0x1b873593, minute + 1);
    // Weights whose squares sum to one keep the variance between the minutes.
    return a * Math.cos((part * Math.PI) / 2) + b * Math.sin((part * Math.PI) / 2);
  };
  return {
    uniform,
    normal,
    mean(entity, fromMs, toMs) {
      const first = Math.floor(fromMs / 1000) + 1,
        last = Math.max(first, Math.ceil(toMs / 1000));
      const count = last - first + 1;
      if (count === 1) return fastWeight * normal(entity, first) + slowWeight * slow(entity, first);
      if (count <= 120) {
        let sum = 0;
        for (let second = first; second <= last; second++) sum += normal(entity, second);
        return (
          (fastWeight * sum) / count +
          slowWeight * slow(entity, (first + last) / 2) * Math.min(1, Math.sqrt(60 / count))
        );
      }
      // Over many minutes only the deviation of the mean matters.
      return (
        normal(entity ^ mix(first), last) *
        Math.sqrt(fastWeight ** 2 / count + (slowWeight ** 2 * 60) / count)
      );
    },
  };
}
