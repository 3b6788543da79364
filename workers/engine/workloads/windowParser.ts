import * as z from 'zod';

import type { DriverParser, ParserOptions } from './driver.ts';
import { createBadLines, createLineReader } from './lines.ts';

/** What one line of a log tells: counts of that moment, and how long a request took. Times in ms. */
export interface LoggedWork {
  /** When it was over, on the client's clock. */
  endMs: number;
  done?: number;
  failed?: number;
  tookMs?: number;
}
/** Reads a log line by line; `state` is what a later line needs of earlier ones (a head), small. */
export interface LogReader {
  read(text: string): LoggedWork | 'known' | 'bad';
  state(): string;
}

interface Window {
  done: number;
  failed: number;
  /** Latencies in bins that are half a percent wide, so that memory does not grow with the rate. */
  bins: Map<number, number>;
  timed: number;
  sumMs: number;
  maxMs: number;
  /** Of the first line in it. */
  offset: number;
}
const newWindow = (offset: number): Window => ({
  done: 0,
  failed: 0,
  bins: new Map(),
  timed: 0,
  sumMs: 0,
  maxMs: 0,
  offset,
});

const binBase = Math.log(1.005);
const leastMs = 0.001;
const binOf = (ms: number): number => Math.round(Math.log(Math.max(ms, leastMs)) / binBase);

/** Nearest rank; within half a percent, and never above the longest. */
function percentile({ bins, timed, maxMs }: Window, share: number): number {
  let left = Math.ceil(timed * share);
  for (const [bin, count] of [...bins].sort(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return Math.min(maxMs, Math.exp(bin * binBase));
  }
  return maxMs;
}
const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

const heldState = z.object({
  /** Where the first window begins, epoch ms; null before the first line. */
  originMs: z.number().nullable(),
  /** The first window that is not told yet. */
  next: z.number().int(),
  /** Up to this byte of the log was read: lines of told windows before it are in them. */
  seen: z.number().int(),
  reader: z.string(),
});
type Held = z.infer<typeof heldState>;

/** Below this part of an interval a last window is too short for a rate. */
const shortest = 0.4;
/** More silent windows than this in one go are a clock that was set, not silence. */
const mostSilent = 3_600;

/**
 * A parser of a tool that logs single requests: adds them up in windows of an interval, the first
 * of which begins where the first request did. A window is told one interval after its end, as
 * threads write a little out of order; what comes later still is counted as a bad line, never lost
 * in silence. A window without any work has a rate of 0. A fresh parser goes on at the first byte of
 * the oldest open window.
 */
export function createWindowParser(
  options: ParserOptions,
  open: (state: string) => LogReader,
): DriverParser {
  const given = options.resume?.state;
  const held: Held =
    given === undefined
      ? { originMs: null, next: 0, seen: 0, reader: '' }
      : heldState.parse(JSON.parse(given));
  const { intervalMs } = options;
  const reader = open(held.reader);
  const windows = new Map<number, Window>();
  const bad = createBadLines();
  let latestMs = -Infinity;

  const tell = (originMs: number, window: Window | undefined, lengthMs: number): void => {
    const tMs = originMs + held.next * intervalMs + lengthMs;
    windows.delete(held.next);
    held.next += 1;
    if (lengthMs < intervalMs * shortest) return;
    options.emit('throughput', tMs, thousandths(((window?.done ?? 0) * 1_000) / lengthMs));
    options.emit('errorRate', tMs, thousandths(((window?.failed ?? 0) * 1_000) / lengthMs));
    if (!window || window.timed === 0) return;
    options.emit('latencyMeanMs', tMs, thousandths(window.sumMs / window.timed));
    options.emit('latencyP95Ms', tMs, thousandths(percentile(window, 0.95)));
    options.emit('latencyP99Ms', tMs, thousandths(percentile(window, 0.99)));
    options.emit('latencyMaxMs', tMs, thousandths(window.maxMs));
  };
  const add = (window: Window, { done = 0, failed = 0, tookMs }: LoggedWork): void => {
    window.done += done;
    window.failed += failed;
    if (tookMs === undefined) return;
    const bin = binOf(tookMs);
    window.bins.set(bin, (window.bins.get(bin) ?? 0) + 1);
    window.timed += 1;
    window.sumMs += tookMs;
    window.maxMs = Math.max(window.maxMs, tookMs);
  };
  const take = (text: string, offset: number): void => {
    const work = reader.read(text);
    if (work === 'known') return;
    if (work === 'bad') {
      bad.add(text);
      return;
    }
    held.originMs ??= Math.floor(work.endMs - (work.tookMs ?? 0));
    const number = Math.max(0, Math.floor((work.endMs - held.originMs) / intervalMs));
    if (number - held.next > mostSilent) {
      bad.add(text);
      return;
    }
    if (number < held.next) {
      // Of a window that was told: read a second time after a restart, or too late.
      if (offset >= held.seen) bad.add(text);
      return;
    }
    const window = windows.get(number) ?? newWindow(offset);
    windows.set(number, window);
    add(window, work);
    latestMs = Math.max(latestMs, work.endMs);
    while (held.originMs + (held.next + 2) * intervalMs <= latestMs)
      tell(held.originMs, windows.get(held.next), intervalMs);
  };
  const lines = createLineReader(options.resume?.offset ?? 0, take, () =>
    bad.add('(a line longer than 64 KiB)'),
  );
  return {
    push: (chunk) => lines.push(chunk),
    end() {
      lines.end();
      if (held.originMs === null) return;
      const { originMs } = held;
      while (originMs + held.next * intervalMs < latestMs)
        tell(
          originMs,
          windows.get(held.next),
          Math.min(intervalMs, latestMs - originMs - held.next * intervalMs),
        );
    },
    resume() {
      const first = Math.min(...[...windows.values()].map(({ offset }) => offset), lines.offset);
      const state: Held = {
        ...held,
        seen: Math.max(held.seen, lines.offset),
        reader: reader.state(),
      };
      return { offset: first, state: JSON.stringify(state) };
    },
    get badLines() {
      return bad.count;
    },
    get badExamples() {
      return bad.examples;
    },
  };
}
