// Looked up once: in a sandbox each look-up of a global costs more than the arithmetic.
const { imul } = Math;

/**
 * Uniform numbers in [0, 1) from a seed, the same on every machine: Mulberry32 (T. Ettinger, 2017,
 * public domain), period 2³².
 */
export function createRandom(seed: number): () => number {
  // A signed whole number: the engine keeps it as such, an unsigned one above 2³¹ it would box at
  // each step.
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let z = state;
    z = imul(z ^ (z >>> 15), z | 1);
    z ^= z + imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed from a text: FNV-1a, 32 bits. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
