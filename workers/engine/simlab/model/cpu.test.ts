import fc from 'fast-check';

import { closedResidence, waitingBeyond } from './cpu.ts';
import { type Claim, waterFill } from './testing/waterFill.ts';

const claim: fc.Arbitrary<Claim> = fc.record({
  demand: fc.double({ min: 0, max: 8, noNaN: true }),
  shares: fc.double({ min: 100, max: 8000, noNaN: true }),
  reservation: fc.double({ min: 0, max: 1, noNaN: true }),
  limit: fc.double({ min: 0.1, max: 8, noNaN: true }),
});
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

describe('waterFill', () => {
  test('gives away no more than there is, no more than is wanted, and leaves nothing over while somebody wants', () => {
    fc.assert(
      fc.property(
        fc.array(claim, { minLength: 1, maxLength: 12 }),
        fc.double({ min: 0.5, max: 20, noNaN: true }),
        (claims, capacity) => {
          const given = waterFill(capacity, claims);
          const wanted = sum(claims.map((c) => Math.min(c.demand, c.limit)));
          expect(sum(given)).toBeCloseTo(Math.min(capacity, wanted), 6);
          given.forEach((one, i) =>
            expect(one).toBeLessThanOrEqual(Math.min(claims[i]!.demand, claims[i]!.limit) + 1e-9),
          );
        },
      ),
      { seed: 1, numRuns: 200 },
    );
  });

  test('divides by shares among those who want more', () => {
    const greedy = { demand: 9, reservation: 0, limit: 9 };
    const [a, b, meek] = waterFill(4, [
      { ...greedy, shares: 2000 },
      { ...greedy, shares: 1000 },
      { demand: 0.4, shares: 1000, reservation: 0, limit: 9 },
    ]);
    expect(meek).toBeCloseTo(0.4, 9);
    expect(a).toBeCloseTo(2.4, 6);
    expect(b).toBeCloseTo(1.2, 6);
  });

  test('keeps reservations first', () => {
    expect(
      waterFill(2, [
        { demand: 2, shares: 1, reservation: 1.5, limit: 9 },
        { demand: 2, shares: 10_000, reservation: 0, limit: 9 },
      ])[0],
    ).toBeCloseTo(1.5, 6);
  });
});

describe('closedResidence', () => {
  test('is exact where it must be: one customer never waits, many are bound by the servers', () => {
    expect(closedResidence(1, 50, 10, 1, 0).throughput).toBeCloseTo(1 / 60, 12);
    expect(closedResidence(10_000, 50, 10, 4, 0).throughput).toBeCloseTo(0.4, 3);
  });

  test('lies under both asymptotic bounds and grows with the population', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0, max: 1000, noNaN: true }),
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        fc.integer({ min: 1, max: 16 }),
        (users, delay, service, servers) => {
          const { throughput, residence, queued } = closedResidence(
            users,
            delay,
            service,
            servers,
            0,
          );
          expect(throughput).toBeLessThanOrEqual(
            Math.min(users / (delay + service), servers / service) * (1 + 1e-9),
          );
          // Little's law over the whole cycle.
          expect(throughput * (delay + residence)).toBeCloseTo(users, 6);
          expect(queued).toBeLessThanOrEqual(users + 1e-9);
          expect(
            closedResidence(users + 1, delay, service, servers, 0).throughput,
          ).toBeGreaterThanOrEqual(throughput * (1 - 1e-9));
        },
      ),
      { seed: 2, numRuns: 300 },
    );
  });

  test('is near exact mean-value analysis of one server', () => {
    for (const users of [2, 5, 20, 60]) {
      let queue = 0,
        exact = 0;
      for (let n = 1; n <= users; n++) {
        const r = 5 * (1 + queue);
        exact = n / (100 + r);
        queue = exact * r;
      }
      expect(Math.abs(closedResidence(users, 100, 5, 1, 0).throughput / exact - 1)).toBeLessThan(
        0.06,
      );
    }
  });
});

test('nobody waits beyond the servers of a population that fits them', () => {
  expect(waitingBeyond(3, 4, 8)).toBe(0);
  expect(waitingBeyond(20, 60, 8)).toBeGreaterThan(12);
  expect(waitingBeyond(40, 60, 8)).toBeCloseTo(32, 2);
  expect(waitingBeyond(2, 60, 8)).toBeLessThan(0.01);
});
