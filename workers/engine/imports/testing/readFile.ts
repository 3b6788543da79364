import { importers } from '../importers.ts';
import { formatOf } from '../service.ts';
import { importBytes } from './importBytes.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const readBytes = (bytes: Uint8Array) =>
  importBytes(importers[formatOf('x.csv', bytes)], bytes);
export const read = (text: string) => readBytes(bytesOf(text));
export type Imported = ReturnType<typeof read>;
export const samplesOf = (
  { series }: Imported,
  metric: string,
  name?: string,
): [number, number][] =>
  series
    .filter((s) => s.metric === metric && (name === undefined || s.entity.name === name))
    .flatMap((s) => s.samples);
export const valuesOf = (found: Imported, metric: string, name?: string): number[] =>
  samplesOf(found, metric, name).map(([, value]) => value);
/** What a rate of windows that begin at `fromMs` adds up to. */
export function sumOf(found: Imported, metric: string, fromMs: number, name?: string): number {
  let last = fromMs;
  let sum = 0;
  for (const [tMs, value] of samplesOf(found, metric, name)) {
    sum += (value * (tMs - last)) / 1_000;
    last = tMs;
  }
  return sum;
}
export const lines = (text: string, pattern: RegExp): RegExpMatchArray[] => [
  ...text.matchAll(pattern),
];
export const noCurve = ({ series, notes }: Imported): void => {
  for (const { samples } of series) expect(samples).toHaveLength(1);
  expect(notes.join()).toContain('no course of time');
};
