// Looked up once: in a sandbox each look-up of a global costs more than the arithmetic.
const { abs } = Math;

/**
 * Coefficients of Lanczos' approximation with g = 7 and nine terms (P. Godfrey, 2001): relative
 * error below 1e-14 for x > 0.
 */
const lanczos = [
  0.999_999_999_999_809_93, 676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_13,
  -176.615_029_162_140_59, 12.507_343_278_686_905, -0.138_571_095_265_720_12,
  9.984_369_578_019_571_6e-6, 1.505_632_735_149_311_6e-7,
] as const;

/**
 * ln Γ(x) for x > 0: C. Lanczos, "A precision approximation of the gamma function", SIAM J. Numer.
 * Anal. B 1 (1964) 86–96.
 */
export function logGamma(x: number): number {
  // Reflection keeps the series where it converges fast.
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  let sum: number = lanczos[0];
  for (let i = 1; i < lanczos.length; i += 1) sum += lanczos[i]! / (z + i);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/**
 * Regularised incomplete beta function I_x(a, b) for a, b > 0 and 0 ≤ x ≤ 1: the continued fraction
 * DLMF 8.17.22 (https://dlmf.nist.gov/8.17.v), evaluated by Lentz's method, with 8.17.4 (symmetry)
 * where it converges faster. NaN outside its domain.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) return NaN;
  if (x === 0 || x === 1) return x;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front =
    Math.exp(a * Math.log(x) + b * Math.log1p(-x) - (logGamma(a) + logGamma(b) - logGamma(a + b))) /
    a;
  return front * betaFraction(x, a, b);
}

function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const away = (value: number): number => (abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 10_000; m += 1) {
    for (const numerator of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / away(1 + numerator * d);
      c = away(1 + numerator / c);
      result *= d * c;
    }
    if (abs(d * c - 1) < 1e-15) return result;
  }
  return result;
}
