/** Who wants CPU, in any unit of work a second. */
export interface Claim {
  /** What it would use with nobody else there. */ demand: number;
  shares: number;
  /** Guaranteed; unused reservations are free to others. */ reservation: number;
  limit: number;
}

/**
 * Proportional-share allocation with reservations and limits by water-filling: everyone first gets
 * the smaller of demand and reservation, the rest is poured by shares until a claim is full. Sum =
 * min(capacity, sum of demands). The rule of ESX's scheduler (Waldspurger, "Memory resource
 * management in VMware ESX Server", OSDI 2002, section 5).
 */
export function waterFill(capacity: number, claims: readonly Claim[]): number[] {
  const want = claims.map((c) => Math.max(0, Math.min(c.demand, c.limit)));
  const given = claims.map((c, i) => Math.min(want[i]!, c.reservation));
  const reserved = given.reduce((a, b) => a + b, 0);
  if (reserved >= capacity) return given.map((g) => g * (capacity / reserved));
  const total = want.reduce((a, b) => a + b, 0);
  if (total <= capacity) return want;
  // Water level: allocation = clamp(level × shares, reservation, want). Bisection on the level.
  let low = 0,
    high = Math.max(...claims.map((c, i) => want[i]! / c.shares));
  const at = (level: number): number[] =>
    claims.map((c, i) => Math.min(want[i]!, Math.max(given[i]!, level * c.shares)));
  for (let step = 0; step < 60; step++) {
    const level = (low + high) / 2;
    if (at(level).reduce((a, b) => a + b, 0) > capacity) high = level;
    else low = level;
  }
  return at(low);
}
