import { child, childrenNamed, numberOf, textOf, type XmlNode } from './xml.ts';

export interface Point {
  tMs: number;
  value: number;
}
/**
 * One counter of one host or VM: raw values as vCenter gives them, missing ones left out, oldest first.
 */
export interface RawSeries {
  ref: string;
  counterId: number;
  instance: string;
  points: Point[];
}
export interface Counter {
  id: number;
  /** `cpu.usage.average` */ name: string;
  /** vCenter's unit key: percent, watt, millisecond … */ unit: string;
}

/**
 * Decodes PerformanceManager.perfCounter: name → counter. Ids differ between installations, names
 * do not.
 */
export function decodeCounters(list: XmlNode | undefined): Map<string, Counter> {
  const counters = new Map<string, Counter>();
  for (const info of list?.children ?? []) {
    const id = numberOf(child(info, 'key'));
    const key = (name: string): string | null => textOf(child(child(info, name), 'key'));
    const name = [key('groupInfo'), key('nameInfo'), textOf(child(info, 'rollupType'))];
    if (id !== null && name.every((part) => part !== null))
      counters.set(name.join('.'), { id, name: name.join('.'), unit: key('unitInfo') ?? '' });
  }
  return counters;
}

/**
 * A raw value in the unit of its metric. vCenter gives percent in hundredths and microseconds as
 * integers.
 */
export function scaled(value: number, unit: string): number {
  return unit === 'percent' ? value / 100 : unit === 'microsecond' ? value / 1_000 : value;
}

/** vCenter's real-time samples are of 20 s, by the clock of each host. */
export const periodMs = 20_000;
/** A sum of milliseconds over a period, as a share of it in percent. */
export const pctOfPeriod = (ms: number): number => (ms / periodMs) * 100;
/** A count over a period, a second. */
export const perSecond = (count: number): number => (count * 1_000) / periodMs;
/** Memory comes in KB. */
export const mbOfKb = (kb: number): number => kb / 1_024;

/**
 * `20,2026-11-21T03:40:00Z,20,…` → times. An unreadable time is NaN, so that values keep their places.
 */
function sampleTimes(csv: string): number[] {
  const parts = csv.split(',');
  const times: number[] = [];
  for (let i = 1; i < parts.length; i += 2) times.push(Date.parse(parts[i]!));
  return times;
}

/**
 * Decodes QueryPerf answers in csv format (`normal` drops zeros). -1 stands for a missing value.
 */
export function decodeQueryPerf(entities: readonly XmlNode[]): RawSeries[] {
  const all: RawSeries[] = [];
  for (const entity of entities) {
    const ref = textOf(child(entity, 'entity'));
    const times = sampleTimes(textOf(child(entity, 'sampleInfoCSV')) ?? '');
    if (ref === null) continue;
    for (const series of childrenNamed(entity, 'value')) {
      const id = child(series, 'id');
      const counterId = numberOf(child(id, 'counterId'));
      if (counterId === null) continue;
      const values = (textOf(child(series, 'value')) ?? '').split(',');
      const points: Point[] = [];
      for (let i = 0; i < times.length && i < values.length; i += 1) {
        const value = values[i] === '' ? Number.NaN : Number(values[i]);
        const tMs = times[i]!;
        if (Number.isFinite(tMs) && Number.isFinite(value) && value >= 0)
          points.push({ tMs, value });
      }
      // Newest first in some versions, oldest first in others.
      points.sort((a, b) => a.tMs - b.tMs);
      all.push({
        ref,
        counterId,
        instance: textOf(child(id, 'instance')) ?? '',
        // A time that is given twice is one reading.
        points: points.filter(({ tMs }, i) => i === 0 || tMs > points[i - 1]!.tMs),
      });
    }
  }
  return all;
}
