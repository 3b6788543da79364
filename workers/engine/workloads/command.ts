import { RE2JS } from 're2js';
import * as z from 'zod';

import { type MetricName, metricName, metricNames } from '../../../src/core/metric/metric.ts';
import type { Driver, DriverParser, ParserOptions } from './driver.ts';
import { createLineParser } from './lineParser.ts';

const params = z
  .object({
    command: z
      .string()
      .min(1)
      .max(8_000)
      .describe('Shell command that ends by itself; $DURATION_S and $INTERVAL_S are set'),
    format: z.enum(['regex', 'json', 'csv']).default('regex').describe('How a line is read'),
    pattern: z
      .string()
      .max(1_000)
      .default('')
      .describe(
        'regex (RE2): named groups throughput, latencyMeanMs, …, time; json and csv: fields ' +
          'as metric=name, comma between',
      ),
    unit: z.string().min(1).max(20).default('ops/s').describe('Unit of the throughput'),
    decimals: z.number().int().min(0).max(6).default(3).describe('Decimals that are kept'),
    timeUnit: z
      .enum(['epochS', 'epochMs', 'elapsedS'])
      .default('elapsedS')
      .describe('What the time field holds; without one, lines count intervals'),
    check: z
      .string()
      .max(2_000)
      .default('')
      .describe('Command that proves the program is there; empty = not checked'),
  })
  .superRefine((value, context) => {
    const problem =
      value.format === 'regex' ? patternProblem(value.pattern) : fieldsProblem(value.pattern);
    if (problem) context.addIssue({ code: 'custom', path: ['pattern'], message: problem });
  });
type Params = z.infer<typeof params>;

const maxLine = 4_096;

/**
 * RE2 looks at a character once for each step of a pattern, at worst. With so many, the longest
 * line takes a tenth of a second; all metrics in one line take some 120.
 */
const maxSteps = 250;

/**
 * A pattern as RE2 reads it: time grows with the line and with the steps of the pattern, `{…}`
 * written out, and with nothing else; both are bounded, so none can hang the engine. It has no
 * look-around and no back references. Throws RE2's own words for what it does not read.
 */
const compile = (pattern: string): RE2JS => RE2JS.compile(pattern);

/** Names of the groups, in their order. */
const groupsOf = (regex: RE2JS): string[] =>
  Object.entries(regex.namedGroups())
    .sort(([, a], [, b]) => a - b)
    .map(([name]) => name);

function patternProblem(pattern: string): string | null {
  if (/\(\?<?[=!]/.test(pattern))
    return (
      'look-ahead and look-behind ((?=…), (?!…), (?<=…), (?<!…)) are not read: write what ' +
      'stands there into the pattern itself'
    );
  if (/\\[1-9]|\\k</.test(pattern)) return 'back references are not read';
  try {
    const compiled = compile(pattern);
    if (compiled.programSize() > maxSteps)
      return (
        `with its repetitions written out it has ${compiled.programSize()} steps of at most ` +
        `${maxSteps}: repeat with * or + in place of {…}, or read fewer groups`
      );
    const groups = groupsOf(compiled);
    const unknown = groups.find((name) => name !== 'time' && !metricName.safeParse(name).success);
    if (unknown)
      return `the group ${unknown} is no metric; metrics are ${metricNames.slice(0, 6).join(', ')} and time`;
    return groups.some((name) => name !== 'time')
      ? null
      : 'it needs a named group, e.g. (?<throughput>[0-9.]+)';
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not a regular expression';
  }
}

/**
 * `throughput=tps, latencyP95Ms=lat.p95, time=ts` → pairs. CSV fields may be header names or numbers from 1.
 */
function fieldsOf(pattern: string): { metric: MetricName | 'time'; field: string }[] {
  return pattern
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [metric = '', field = ''] = part.split('=').map((side) => side.trim());
      return { metric: metric as MetricName | 'time', field };
    });
}
function fieldsProblem(pattern: string): string | null {
  const fields = fieldsOf(pattern);
  if (!fields.some(({ metric }) => metric !== 'time'))
    return 'it needs a field, e.g. throughput=tps';
  const wrong = fields.find(
    ({ metric, field }) =>
      field === '' || (metric !== 'time' && !metricName.safeParse(metric).success),
  );
  return wrong ? `${wrong.metric || '(nothing)'} is no metric, or has no field` : null;
}

type ReadLine = (text: string) => Map<string, number> | 'known' | null;

function readRegex(pattern: string): ReadLine {
  const regex = compile(pattern);
  const groups = groupsOf(regex);
  return (text) => {
    const matcher = regex.matcher(text);
    if (!matcher.find()) return 'known';
    return new Map(
      groups.flatMap((name) => {
        const value = matcher.group(name);
        return value === null ? [] : [[name, Number(value)] as const];
      }),
    );
  };
}
function readJson(pattern: string): ReadLine {
  const fields = fieldsOf(pattern);
  return (text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return text.trim() === '' ? 'known' : null;
    }
    return new Map(
      fields.map(({ metric, field }) => [
        metric,
        Number(
          field
            .split('.')
            .reduce<unknown>(
              (inner, key) =>
                inner !== null && typeof inner === 'object'
                  ? (inner as Record<string, unknown>)[key]
                  : undefined,
              value,
            ),
        ),
      ]),
    );
  };
}
function readCsv(pattern: string, columns: { header: string[] | null }): ReadLine {
  const fields = fieldsOf(pattern);
  const byNumber = fields.every(({ field }) => /^\d+$/.test(field));
  return (text) => {
    const cells = text.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    if (!byNumber && columns.header === null) {
      columns.header = cells.slice(0, 200);
      return 'known';
    }
    return new Map(
      fields.map(({ metric, field }) => [
        metric,
        Number(cells[byNumber ? Number(field) - 1 : (columns.header ?? []).indexOf(field)]),
      ]),
    );
  };
}

function parser(p: Params, options: ParserOptions): DriverParser {
  const state = options.resume?.state
    ? (JSON.parse(options.resume.state) as { lines: number; header: string[] | null })
    : { lines: 0, header: null };
  const read =
    p.format === 'regex'
      ? readRegex(p.pattern)
      : p.format === 'json'
        ? readJson(p.pattern)
        : readCsv(p.pattern, state);
  const scale = 10 ** p.decimals;
  return createLineParser(
    options.resume,
    (text) => {
      if (text.length > maxLine) return 'bad';
      const values = read(text);
      if (values === 'known') return 'known';
      if (values === null) return 'bad';
      const time = values.get('time');
      if (time !== undefined && !Number.isFinite(time)) return 'bad';
      const measured = [...values].filter(
        ([name, value]) => name !== 'time' && Number.isFinite(value),
      );
      if (measured.length === 0) return 'bad';
      state.lines += 1;
      const tMs =
        time === undefined
          ? options.startMs + state.lines * options.intervalMs
          : p.timeUnit === 'epochMs'
            ? time
            : p.timeUnit === 'epochS'
              ? time * 1_000
              : options.startMs + time * 1_000;
      for (const [name, value] of measured)
        options.emit(name as MetricName, tMs, Math.round(value * scale) / scale);
      return 'taken';
    },
    () => JSON.stringify({ lines: state.lines, header: state.header }),
  );
}

const unitOf = (metric: MetricName, p: Params): string =>
  metric === 'throughput'
    ? p.unit
    : metric.endsWith('Ms')
      ? 'ms'
      : metric.endsWith('Pct')
        ? '%'
        : metric === 'powerW'
          ? 'W'
          : metric === 'errorRate'
            ? 'errors/s'
            : p.unit;

/**
 * Any command that prints measurements: regular expression with named groups, JSON lines, or CSV.
 */
export const command: Driver<Params> = {
  id: 'command',
  title: 'any command',
  role: 'custom',
  params,
  series(p) {
    const names =
      p.format === 'regex'
        ? groupsOf(compile(p.pattern))
        : fieldsOf(p.pattern).map(({ metric }) => metric);
    return names
      .filter((name): name is MetricName => name !== 'time')
      .map((metric) => ({ metric, unit: unitOf(metric, p), decimals: p.decimals }));
  },
  async check(host, p, signal) {
    if (!p.check) return { ok: true, version: 'not checked' };
    const result = await host.exec(p.check, { timeoutMs: 20_000, ...(signal ? { signal } : {}) });
    const said = `${result.stdout}${result.stderr}`.trim().split('\n')[0] ?? '';
    return result.code === 0
      ? { ok: true, version: said }
      : {
          ok: false,
          version: null,
          problem: `the check "${p.check}" ended with ${result.code ?? 'no exit code'}: ${said}`,
          blames: 'check',
          fix: 'Install the program on the client, or correct the check.',
        };
  },
  prepare: async () => undefined,
  command: (p, { durationS, intervalS }) =>
    `DURATION_S=${durationS} INTERVAL_S=${intervalS}; export DURATION_S INTERVAL_S; ${p.command}`,
  parser,
  finalReport: () => null,
  cleanup: async () => undefined,
};
