import { getDriver } from '../../workloads/index.ts';
import { parseAll } from '../../workloads/testing/parse.ts';
import type { LoadReport } from '../model/types.ts';
import { smallLab } from '../testing/smallLab.ts';
import { createOutput } from './output.ts';
import { recognise } from './recognise.ts';
import type { Surroundings } from './types.ts';
import { words } from './words.ts';

const at = (guestVmId: string | null): Surroundings => ({
  spec: smallLab,
  guestVmId,
  resolveVm: (address) => {
    const id = address.replace(/\.small\.sim$/, '');
    return smallLab.vms.some((vm) => vm.id === id) ? id : null;
  },
  tripMs: (address) => () => (address.startsWith('t1') ? 0.25 : null),
});
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const startMs = 1_767_600_000_000;
/** Figures that move from second to second, as a noisy model gives them. */
const reportAt = (index: number): LoadReport => {
  const wave = 1 + 0.1 * Math.sin(index);
  return {
    throughput: 123.456 * wave,
    opsPerS: 123.456 * wave,
    latencyMeanMs: 4.2 * wave,
    latencyP95Ms: 11 * wave,
    latencyP99Ms: 17.5 * wave,
    latencyMaxMs: 33 * wave,
    errorsPerS: 0.25,
    goodShare: 1,
    readIops: 0,
    writeIops: 0,
    ioLatencyMs: 0,
  };
};
const paramsOf: Readonly<Record<string, Record<string, unknown>>> = {
  simload: { kind: 'mail', target: 't1-mail.small.sim', unit: 'actions/s' },
  'sysbench-oltp': { host: 't1-java.small.sim', threads: 8 },
  'sysbench-cpu': { threads: 2 },
  dbench: { clients: 3 },
  fio: { readPct: 70, outstanding: 16 },
  heartbeat: { target: 't1-java' },
};

/** What the simulated tool prints in all of its time for the real driver's own command line. */
function printed(
  id: string,
  durationS = 60,
): { text: string; params: Record<string, unknown>; output: ReturnType<typeof createOutput> } {
  const driver = getDriver(id);
  const params = driver.params.parse(paramsOf[id]);
  const program = recognise(driver.command(params, { durationS, intervalS: 1 }), at('t1-java'));
  if (program.kind === 'fails') throw new Error(program.stderr);
  const output = createOutput(program.format);
  for (let index = 0; (index + 1) * program.intervalMs <= program.durationMs; index += 1) {
    const elapsedMs = (index + 1) * program.intervalMs;
    const interval = {
      index,
      elapsedMs,
      lengthMs: program.intervalMs,
      clientMs: startMs + elapsedMs,
    };
    output.add(program.format.take(reportAt(index), interval), interval);
  }
  output.finish();
  return { text: readOn(output, 0), params, output };
}

/** From a byte to the end, in as many parts as it takes. */
function readOn(output: ReturnType<typeof createOutput>, from: number): string {
  let text = '';
  for (
    let part = output.read(from, 60_000);
    part !== '';
    part = output.read(from + text.length, 60_000)
  )
    text += part;
  return text;
}

test.each(Object.keys(paramsOf))(
  '%s: the real driver reads every interval of what is printed, without a bad line',
  (id) => {
    const { text, params } = printed(id);
    const { samples, parser } = parseAll(getDriver(id), params, bytes(text), { startMs });
    expect({ bad: parser.badLines, examples: parser.badExamples }).toEqual({
      bad: 0,
      examples: [],
    });
    const throughput = samples.filter((s) => s.metric === 'throughput');
    expect(throughput).toHaveLength(60);
    expect(throughput.every((s, index) => s.tMs === startMs + (index + 1) * 1_000)).toBe(true);
    for (const { metric } of getDriver(id).series(params))
      expect(samples.filter((s) => s.metric === metric).length).toBe(60);
  },
);

/** Those that load the lab: what they print comes from its model. */
const loadsOfLab = Object.keys(paramsOf).filter((id) => id !== 'heartbeat');

test.each(loadsOfLab)(
  "%s: throughput is the model's within what the tool prints, second by second",
  (id) => {
    const { text, params } = printed(id);
    const values = parseAll(getDriver(id), params, bytes(text), { startMs })
      .samples.filter((s) => s.metric === 'throughput')
      .map((s) => s.value);
    // dbench prints a running mean of two decimals: over a minute a second is good to about sixty
    // hundredths. fio counts whole I/Os.
    const within = id === 'dbench' ? 0.7 : id === 'fio' ? 1.01 : 0.01;
    values.forEach((value, index) =>
      expect(Math.abs(value - reportAt(index).throughput)).toBeLessThanOrEqual(within),
    );
  },
);

test.each(['simload', 'sysbench-oltp', 'fio'])(
  '%s: 95th percentiles come back as the model gave them',
  (id) => {
    const { text, params } = printed(id);
    const values = parseAll(getDriver(id), params, bytes(text), { startMs })
      .samples.filter((s) => s.metric === 'latencyP95Ms')
      .map((s) => s.value);
    // fio's histogram groups are up to 1.6 % wide.
    values.forEach((value, index) =>
      expect(Math.abs(value / reportAt(index).latencyP95Ms - 1)).toBeLessThan(
        id === 'fio' ? 0.016 : 0.001,
      ),
    );
  },
);

test.each(loadsOfLab)('%s: its own final report agrees with its intervals to 1 %%', (id) => {
  const { text, params } = printed(id);
  const report = getDriver(id).finalReport(params, text)!;
  const from = startMs + (report.fromS ?? 0) * 1_000;
  const values = parseAll(getDriver(id), params, bytes(text), { startMs })
    .samples.filter((s) => s.metric === 'throughput' && s.tMs > from)
    .map((s) => s.value);
  expect(report.throughput! / (values.reduce((a, b) => a + b, 0) / values.length)).toBeCloseTo(
    1,
    3,
  );
});

test.each(Object.keys(paramsOf))('%s: text printed again from any byte is the same text', (id) => {
  const { text, output } = printed(id, 300);
  expect(output.bytes).toBe(text.length);
  for (let from = 0; from < text.length; from += Math.ceil(text.length / 13)) {
    expect(readOn(output, from) === text.slice(from)).toBe(true);
  }
});

test("options of the command win over the lab's definition; a packet rate becomes that many operations", () => {
  const load = (command: string): unknown => {
    const program = recognise(command, at(null));
    return program.kind === 'runs' ? program.load : program;
  };
  expect(
    load(
      'exec tilebench-simload mail --target t2-mail.small.sim --users 7 --think 0 --outstanding 3 --interval 1 --duration 9',
    ),
  ).toMatchObject({
    vmId: 't2-mail',
    demand: { users: 7, thinkMs: 0, outstanding: 3, cpuMsPerOp: 4 },
  });
  expect(
    load(
      'exec tilebench-simload mail --target t2-mail.small.sim --packets 2200 --interval 1 --duration 9',
    ),
  ).toMatchObject({ demand: { users: 100, thinkMs: 1_000 } });
});

test.each([
  [
    'exec tilebench-simload golf --target t1-mail.small.sim --interval 1 --duration 9',
    't1-mail',
    2,
    'no load of kind golf',
  ],
  [
    'exec tilebench-simload mail --target nowhere.sim --interval 1 --duration 9',
    null,
    1,
    'nowhere.sim is no VM',
  ],
  ['exec tilebench-simload mail --interval 1 --duration 9', null, 2, 'nothing under test'],
  ['exec fio --name=io --bs=8192', null, 2, 'nothing under test'],
  ['sysbench --mysql-host=elsewhere oltp_read_write run', null, 1, 'unable to connect'],
  ['make me a sandwich', 't1-mail', 127, 'not found'],
])('%s fails as the tool would, with words', (command, guest, exitCode, text) => {
  expect(recognise(command, at(guest))).toEqual({
    kind: 'fails',
    exitCode,
    stderr: expect.stringContaining(text),
  });
});

test('words are split as a shell does', () => {
  expect(words("a 'b c'  \"d e\"f g\\ h --x='y z'")).toEqual([
    'a',
    'b c',
    'd ef',
    'g h',
    '--x=y z',
  ]);
});

test('fio runs its jobs side by side, each with its outstanding I/Os', () => {
  const driver = getDriver('fio');
  const users = (params: object): number | undefined => {
    const program = recognise(
      driver.command(driver.params.parse(params), { durationS: 60, intervalS: 1 }),
      at('t1-java'),
    );
    return program.kind === 'runs' ? program.load?.demand.users : undefined;
  };
  expect(users({ outstanding: 8 })).toBe(8);
  expect(users({ outstanding: 8, jobs: 6 })).toBe(48);
});
