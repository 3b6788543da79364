import { normalDensity, normalShare } from './percentiles.ts';

/**
 * Mean number waiting, E[(n − servers)⁺], where `mean` of a closed population are at the station.
 * The number there is taken as normal with the variance of a binomial, mean × (1 − mean /
 * population): each customer is there or not. Beyond its servers a population cannot wait. In
 * saturation it becomes mean − servers: throughput is what the servers do, and no more.
 */
export function waitingBeyond(mean: number, population: number, servers: number): number {
  if (population <= servers || mean <= 0) return 0;
  const deviation = Math.sqrt(Math.max(1e-12, mean * (1 - Math.min(0.999, mean / population))));
  const z = (servers - mean) / deviation;
  return deviation * (normalDensity(z) - z * (1 - normalShare(z)));
}

/**
 * Residence time of one closed class at a station of `servers` processors, with everything else of
 * its cycle as delay. Bard–Schweitzer approximate mean-value analysis (Schweitzer 1979; Lazowska et
 * al., "Quantitative System Performance", 1984, ch. 6) with Seidmann's transformation for several
 * servers (Seidmann et al. 1987), solved in closed form.
 * `users` in the class, `delay` and `service` in one unit of time, `othersQueued` = customers of other classes there.
 */
export function closedResidence(
  users: number,
  delay: number,
  service: number,
  servers: number,
  othersQueued: number,
): { residence: number; queued: number; throughput: number } {
  if (users <= 0 || service <= 0)
    return {
      residence: service,
      queued: 0,
      throughput: users > 0 && delay > 0 ? users / delay : 0,
    };
  const queueService = service / servers,
    fixed = service - queueService;
  const around = delay + fixed,
    arrival = queueService * (1 + othersQueued);
  const b = around - arrival - queueService * Math.max(0, users - 1);
  const root = Math.sqrt(b * b + 4 * arrival * around);
  // Of the two forms of the root the one that does not cancel.
  const queueTime = b > 0 ? (2 * arrival * around) / (b + root) : (root - b) / 2;
  const throughput = users / (around + queueTime);
  return { residence: fixed + queueTime, queued: throughput * queueTime, throughput };
}
