import { moments, varianceOf } from './moments.ts';
import { studentQuantile, studentTwoSided } from './student.ts';

/** A mean with its standard error and the degrees of freedom that error was estimated with. */
export interface Estimate {
  mean: number;
  standardError: number;
  df: number;
}
/** The difference of two means. `df` Infinity where neither scatters. */
export interface MeanDifference {
  /** b − a */ difference: number;
  standardError: number;
  df: number;
  low: number;
  high: number;
  /** Two-sided p of "no difference". */ p: number;
  /** The smallest true difference that such a comparison finds. */ detectable: number;
}

/** Mean of independent repeats and s/√n with n − 1 degrees of freedom; null below two values. */
export function estimateOf(values: ArrayLike<number>): Estimate | null {
  if (values.length < 2) return null;
  const of = moments(values);
  return { mean: of.mean, standardError: Math.sqrt(varianceOf(of) / of.count), df: of.count - 1 };
}

/**
 * Degrees of freedom of a sum of two variance estimates: F. E. Satterthwaite, "An approximate
 * distribution of estimates of variance components", Biometrics Bulletin 2 (1946) 110–114, as used
 * by B. L. Welch, Biometrika 34 (1947) 28–35.
 */
export function satterthwaite(a: Estimate, b: Estimate): number {
  // Shares of the common error: squares of tiny errors would vanish.
  const whole = Math.hypot(a.standardError, b.standardError);
  return 1 / ((a.standardError / whole) ** 4 / a.df + (b.standardError / whole) ** 4 / b.df);
}

/** Level of intervals and tests, and the power at which the detectable difference is stated. */
export const level = 0.95;
export const power = 0.8;

/**
 * b − a with its interval at `confidence`, the two-sided p, and the minimum detectable difference
 * (t_{1−α/2, df} + t_{power, df}) × standard error (J. H. Zar, Biostatistical Analysis, "minimum
 * detectable difference" of two means): the true difference that a two-sided test at 1 −
 * `confidence` finds with probability `wantedPower`.
 */
export function meanDifference(
  a: Estimate,
  b: Estimate,
  confidence: number = level,
  wantedPower: number = power,
): MeanDifference {
  const difference = b.mean - a.mean;
  const standardError = Math.hypot(a.standardError, b.standardError);
  if (standardError === 0)
    return {
      difference,
      standardError,
      df: Infinity,
      low: difference,
      high: difference,
      p: difference === 0 ? 1 : 0,
      detectable: 0,
    };
  const df = satterthwaite(a, b);
  const t = studentQuantile(1 - (1 - confidence) / 2, df);
  return {
    difference,
    standardError,
    df,
    low: difference - t * standardError,
    high: difference + t * standardError,
    p: studentTwoSided(difference / standardError, df),
    detectable: (t + studentQuantile(wantedPower, df)) * standardError,
  };
}

/** Welch's comparison of two lists of independent repeats; null below two values a side. */
export function welch(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  confidence: number = level,
): MeanDifference | null {
  const [one, other] = [estimateOf(a), estimateOf(b)];
  return one === null || other === null ? null : meanDifference(one, other, confidence);
}
