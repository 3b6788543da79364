import { silentLog } from '../deps.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createCore } from './core.ts';
import { createPerfReader } from './perf.ts';
import { datastoreSeries, latencyOverHosts, sumOverHosts, watermarkMs } from './perfAggregate.ts';
import { decodeCounters, decodeQueryPerf, scaled } from './perfDecode.ts';
import { openEnvelope, returned } from './soap.ts';
import { createFakeTransport, testConnection } from './testing/fakeTransport.ts';
import { answerXml, faultXml, objectXml, propXml } from './testing/inventoryXml.ts';
import { parseXml } from './xml.ts';

const t0 = Date.parse('2026-11-21T03:40:00Z');
const at = (slot: number): string => new Date(t0 + slot * 20_000).toISOString();
const series = (host: string, slots: readonly number[], values: Record<string, string>): string =>
  `<returnval xsi:type="PerfEntityMetricCSV"><entity type="HostSystem">${host}</entity><sampleInfoCSV>${slots.map((s) => `20,${at(s)}`).join(',')}</sampleInfoCSV>${Object.entries(
    values,
  )
    .map(([key, csv]) => {
      const [counterId, instance = ''] = key.split('@');
      return `<value><id><counterId>${counterId}</counterId><instance>${instance}</instance></id><value>${csv}</value></value>`;
    })
    .join('')}</returnval>`;
const decode = (xml: string) =>
  decodeQueryPerf(returned(openEnvelope('test', parseXml(answerXml('QueryPerf', xml)))));
const points = (...values: readonly (number | null)[]) =>
  values.flatMap((value, i) => (value === null ? [] : [{ tMs: t0 + i * 20_000, value }]));

describe('csv', () => {
  test.each([
    ['newest first', [2, 1, 0], '30,20,10', points(10, 20, 30)],
    ['oldest first', [0, 1, 2], '10,20,30', points(10, 20, 30)],
    ['-1 and blanks are missing', [0, 1, 2], '-1,,30', points(null, null, 30)],
    ['zeros are values', [0, 1], '0,0', points(0, 0)],
    ['fewer values than times', [0, 1, 2], '10', points(10)],
    ['more values than times', [0], '10,20', points(10)],
    ['nothing', [], '', []],
    ['rubbish', [0, 1], 'x,5', points(null, 5)],
    ['a time that is given twice is one reading', [0, 1, 1, 2], '10,20,20,30', points(10, 20, 30)],
  ])('%s', (_what, slots, csv, wanted) => {
    expect(decode(series('host-1', slots, { 2: csv }))[0]?.points ?? []).toEqual(wanted);
  });
  test.each([
    ['percent', 4_212, 42.12],
    ['watt', 310, 310],
    ['millisecond', 3, 3],
    ['microsecond', 2_500, 2.5],
  ])('%s', (unit, raw, value) => {
    expect(scaled(raw, unit)).toBe(value);
  });
});

const counterXml = (
  id: number,
  group: string,
  name: string,
  unit: string,
  rollup = 'average',
): string =>
  `<PerfCounterInfo><key>${id}</key><nameInfo><key>${name}</key></nameInfo><groupInfo><key>${group}</key></groupInfo><unitInfo><key>${unit}</key></unitInfo><rollupType>${rollup}</rollupType></PerfCounterInfo>`;
const counters = propXml(
  'vcenter',
  'perfCounter',
  'ArrayOfPerfCounterInfo',
  counterXml(7, 'cpu', 'usage', 'percent') +
    counterXml(8, 'net', 'usage', 'kiloBytesPerSecond') +
    counterXml(9, 'power', 'power', 'watt') +
    counterXml(11, 'datastore', 'numberReadAveraged', 'number') +
    counterXml(12, 'datastore', 'numberWriteAveraged', 'number') +
    counterXml(13, 'disk', 'deviceLatency', 'millisecond') +
    counterXml(14, 'cpu', 'ready', 'millisecond', 'summation') +
    counterXml(15, 'mem', 'swapused', 'kiloBytes') +
    counterXml(16, 'power', 'powerCap', 'watt') +
    counterXml(17, 'disk', 'queueLatency', 'millisecond') +
    counterXml(18, 'net', 'droppedTx', 'number', 'summation') +
    counterXml(19, 'disk', 'maxQueueDepth', 'number') +
    counterXml(20, 'disk', 'scsiReservationConflicts', 'number', 'summation'),
);

test('counters are found by name, whatever their ids', () => {
  const value = parseXml(`<x xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${counters}</x>`)
    .children[0]!.children[1];
  expect(decodeCounters(value).get('cpu.usage.average')).toEqual({
    id: 7,
    name: 'cpu.usage.average',
    unit: 'percent',
  });
});

describe('over hosts', () => {
  test('a sum lacks no host', () => {
    expect(sumOverHosts([points(1, 2, 3), points(10, null, 30)])).toEqual(points(11, null, 33));
    expect(sumOverHosts([points(1, 2), []])).toEqual(points(1, 2));
    expect(sumOverHosts([])).toEqual([]);
  });
  test('hosts whose clocks differ by a little are summed', () => {
    expect(sumOverHosts([points(1), points(2).map((p) => ({ ...p, tMs: p.tMs + 4_000 }))])).toEqual(
      points(3),
    );
  });
  test('a host that reports twice in one period is counted once', () => {
    const [first, second] = points(1, 2);
    const again = { tMs: first!.tMs + 1_500, value: 1 };
    expect(sumOverHosts([[first!, again, second!], points(10, 20)])).toEqual(points(11, 22));
  });
  test('latency is weighted by commands, so that idle hosts do not hide a slow LUN', () => {
    expect(
      latencyOverHosts([
        { iops: points(300), latency: [points(8)] },
        { iops: points(100), latency: [points(4)] },
        { iops: points(0), latency: [points(0)] },
      ]),
    ).toEqual(points(7));
    expect(latencyOverHosts([{ iops: points(0), latency: [points(0)] }])).toEqual(points(0));
    expect(latencyOverHosts([{ iops: [], latency: [points(6)] }])).toEqual(points(6));
  });
  test('over the LUNs of a host each counts by its commands: an idle one halved the latency', () => {
    const latency = [points(8), points(0)];
    expect(
      latencyOverHosts([{ iops: points(300), latency, lunCommands: [points(300), points(0)] }]),
    ).toEqual(points(8));
    // Where they are not known, all count the same.
    expect(latencyOverHosts([{ iops: points(300), latency }])).toEqual(points(4));
  });
  test('a metric without values is left out', () => {
    expect(
      datastoreSeries('d', [
        {
          hostRef: 'h',
          readIops: points(5),
          writeIops: points(6),
          deviceLatencyMs: [],
          kernelLatencyMs: [],
        },
      ]).map((s) => [s.metric, s.points[0]?.value]),
    ).toEqual([
      ['readIops', 5],
      ['writeIops', 6],
      ['iops', 11],
    ]);
  });
  test.each([
    ['the slowest that reports', [100_000, 80_000, 60_000], 60_000],
    ['a host that is away does not hold the others', [1_000_000, 980_000, 500_000], 980_000],
    ['one', [5], 5],
  ])('watermark: %s', (_what, newest, wanted) => {
    expect(watermarkMs(newest)).toBe(wanted);
  });
});

describe('reading', () => {
  async function reader(queryPerf: (calls: number, body: string) => string, nowMs: number) {
    const transport = createFakeTransport({
      CurrentTime: () =>
        answerXml('CurrentTime', `<returnval>${new Date(nowMs).toISOString()}</returnval>`),
      RetrievePropertiesEx: (_calls, body) =>
        answerXml(
          'RetrievePropertiesEx',
          `<returnval>${
            body.includes('perfCounter')
              ? objectXml('PerformanceManager', 'PerfMgr', counters)
              : objectXml(
                  'Datastore',
                  'datastore-1',
                  propXml(
                    'vcenter',
                    'host',
                    'ArrayOfDatastoreHostMount',
                    ['host-1', 'host-2']
                      .map(
                        (h) =>
                          `<DatastoreHostMount><key type="HostSystem">${h}</key></DatastoreHostMount>`,
                      )
                      .join(''),
                  ),
                  propXml(
                    'vcenter',
                    'info',
                    'VmfsDatastoreInfo',
                    '<vmfs><uuid>v1</uuid><extent><diskName>naa.1</diskName></extent></vmfs>',
                  ),
                )
          }</returnval>`,
        ),
      QueryPerf: queryPerf,
    });
    const core = createCore(
      { clock: createFakeClock(nowMs), log: silentLog },
      testConnection,
      'p',
      transport,
    );
    await core.login();
    return { perf: createPerfReader(core), transport };
  }
  const hosts = [
    { kind: 'host', ref: 'host-1' },
    { kind: 'host', ref: 'host-2' },
  ] as const;

  test('asks hosts for their own counters and for those of the datastores they mount', async () => {
    const { perf, transport } = await reader(
      () =>
        answerXml(
          'QueryPerf',
          series('host-1', [1], {
            7: '4212',
            9: '300',
            '11@v1': '5',
            '12@v1': '6',
            '13@naa.1': '8',
          }) +
            series('host-2', [1], {
              7: '100',
              9: '200',
              '11@v1': '10',
              '12@v1': '1',
              '13@naa.1': '8',
            }),
        ),
      t0 + 40_000,
    );
    const found = await perf.read([...hosts, { kind: 'datastore', ref: 'datastore-1' }], t0);
    expect(
      Object.fromEntries(found.map((s) => [`${s.ref} ${s.metric}`, s.points[0]?.value])),
    ).toEqual({
      'host-1 cpuPct': 42.12,
      'host-1 powerW': 300,
      'host-2 cpuPct': 1,
      'host-2 powerW': 200,
      'datastore-1 readIops': 15,
      'datastore-1 writeIops': 7,
      'datastore-1 iops': 22,
      'datastore-1 deviceLatencyMs': 8,
    });
    expect(transport.count('QueryPerf')).toBe(1);
  });

  test('ready time is a share of one vCPU, swapped memory in MB, a limit of power in W', async () => {
    const { perf } = await reader(
      () =>
        answerXml(
          'QueryPerf',
          series('host-1', [1], {
            14: '3000',
            15: '2048',
            16: '650',
            '17@naa.1': '3',
            '11@v1': '5',
            '12@v1': '6',
          }),
        ),
      t0 + 40_000,
    );
    const found = await perf.read(
      [
        { kind: 'host', ref: 'host-1' },
        { kind: 'datastore', ref: 'datastore-1' },
      ],
      t0,
    );
    expect(found.map((s) => [s.metric, s.points[0]?.value])).toEqual(
      expect.arrayContaining([
        ['readyPct', 15],
        ['swapMb', 2],
        ['powerCapW', 650],
        ['queueLatencyMs', 3],
      ]),
    );
  });

  test('of a LUN the least depth that a host has, and what went wrong over all of them a second', async () => {
    const lun = (depth: string, conflicts: string): Record<string, string> => ({
      '11@v1': '5',
      '19@naa.1': depth,
      '20@naa.1': conflicts,
    });
    const { perf } = await reader(
      () =>
        answerXml(
          'QueryPerf',
          series('host-1', [1, 2], lun('64,64', '40,40')) +
            // A host that has not counted yet leaves a gap, never a part of the sum.
            series('host-2', [1, 2], lun('64,16', '20,-1')),
        ),
      t0 + 60_000,
    );
    const found = await perf.read([{ kind: 'datastore', ref: 'datastore-1' }], t0);
    const of = (metric: string) =>
      found.find((one) => one.metric === metric)?.points.map(({ value }) => value);
    expect(of('maxQueueDepth')).toEqual([64, 16]);
    expect(of('reservationConflictsPerS')).toEqual([3]);
    expect(of('abortedPerS')).toBeUndefined();
    expect(await perf.storeMetrics()).toEqual(['maxQueueDepth', 'reservationConflictsPerS']);
  });

  test('asks for each uplink besides the sum of a host, and tells them apart by their names', async () => {
    const { perf, transport } = await reader(
      () =>
        answerXml(
          'QueryPerf',
          series('host-1', [1], {
            '8@vmnic10': '30',
            '8@vmnic2': '20',
            8: '50',
            '18@vmnic10': '30',
          }) + series('host-2', [1], { 8: '5' }),
        ),
      t0 + 40_000,
    );
    const found = await perf.read(hosts, t0);
    expect(found.map((s) => [s.ref, s.instance, s.metric, s.points[0]?.value])).toEqual([
      ['host-1', undefined, 'netKbps', 50],
      ['host-1', 'vmnic2', 'netKbps', 20],
      ['host-1', 'vmnic10', 'netKbps', 30],
      // A count of 20 s, a second.
      ['host-1', 'vmnic10', 'droppedTxPerS', 1.5],
      ['host-2', undefined, 'netKbps', 5],
    ]);
    expect(transport.sent.at(-1)!.body.match(/<instance>\*<\/instance>/g)).toHaveLength(4);
    expect(await perf.uplinks(['host-1', 'host-2'])).toEqual([
      { hostRef: 'host-1', device: 'vmnic2', metrics: ['netKbps'] },
      { hostRef: 'host-1', device: 'vmnic10', metrics: ['netKbps', 'droppedTxPerS'] },
    ]);
  });

  test('the simulator repeats the sum under the name of the question: that is no uplink', async () => {
    const { perf } = await reader(
      () => answerXml('QueryPerf', series('host-1', [1], { 8: '50', '8@*': '50' })),
      t0 + 40_000,
    );
    expect((await perf.read([hosts[0]], t0)).map((s) => [s.instance, s.points.length])).toEqual([
      [undefined, 1],
    ]);
    expect(await perf.uplinks(['host-1'])).toEqual([]);
  });

  test('a sum that is answered twice counts once', async () => {
    const { perf } = await reader(
      () =>
        answerXml(
          'QueryPerf',
          series('host-1', [1, 2], { 8: '50,60' }) +
            series('host-1', [1, 2], { 8: '50,60', '8@vmnic0': '50,60' }),
        ),
      t0 + 60_000,
    );
    expect(
      (await perf.read([hosts[0]], t0)).map((s) => [s.instance, s.points.map((p) => p.value)]),
    ).toEqual([
      [undefined, [50, 60]],
      ['vmnic0', [50, 60]],
    ]);
  });

  test('never gives a sample of before, and holds back those that some host has not yet', async () => {
    const { perf } = await reader(
      () =>
        answerXml(
          'QueryPerf',
          series('host-1', [0, 1, 2], { 7: '100,200,300' }) +
            series('host-2', [0, 1], { 7: '100,200' }),
        ),
      t0 + 40_000,
    );
    expect((await perf.read(hosts, t0)).map((s) => s.points.map((p) => p.tMs - t0))).toEqual([
      [20_000],
      [20_000],
    ]);
  });

  test('asks on while an answer ends before the present, and stops when nothing new comes', async () => {
    const parts = [[1, 2, 3], [4, 5, 6], [6]];
    const { perf, transport } = await reader(
      (calls) =>
        answerXml(
          'QueryPerf',
          series('host-1', parts[calls] ?? [], {
            7: (parts[calls] ?? []).map((s) => s * 100).join(','),
          }),
        ),
      t0 + 3_000_000,
    );
    expect((await perf.read([hosts[0]], t0))[0]!.points.map((p) => p.value)).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    expect(transport.count('QueryPerf')).toBe(3);
    expect(
      transport.sent
        .filter((s) => s.method === 'QueryPerf')
        .map((s) => /startTime>([^<]*)/.exec(s.body)?.[1]),
    ).toEqual([at(0), at(3), at(6)]);
  });

  test('never asks for more than the hour that hosts keep', async () => {
    const { perf, transport } = await reader(() => answerXml('QueryPerf', ''), t0);
    expect(await perf.read([hosts[0]], 0)).toEqual([]);
    expect(transport.sent.at(-1)!.body).toContain(
      `<startTime>${new Date(t0 - 3_600_000).toISOString()}</startTime>`,
    );
  });

  test('one host that faults does not cost the others their counters', async () => {
    const { perf } = await reader(
      (_calls, body) =>
        body.includes('host-2')
          ? faultXml('HostCommunication')
          : answerXml('QueryPerf', series('host-1', [1], { 7: '100' })),
      t0 + 40_000,
    );
    expect((await perf.read(hosts, t0)).map((s) => s.ref)).toEqual(['host-1']);
  });

  test('when every host faults it is an error', async () => {
    const { perf } = await reader(() => faultXml('HostCommunication'), t0 + 40_000);
    await expect(perf.read(hosts, t0)).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
