import type { ImportId } from '../../../../src/core/history/importForms.ts';
import { iperf3Stream, k6Csv, k6Points, k6Summary, toolFile } from './driverToolFiles.ts';

/** Short files as the tools write them, one or two of each format. */

const row = (fields: readonly string[]): string =>
  `${fields.map((one) => `"${one}"`).join(',')}\r\n`;
export const esxtopFile = [
  row([
    '(PDH-CSV 4.0) (UTC)(0)',
    '\\\\esx1\\Memory\\Memory Overcommit (1 Minute Avg)',
    '\\\\esx1\\Physical Cpu(_Total)\\% Util Time',
    '\\\\esx1\\Group Cpu(28868:Ted, "quoted")\\% Ready',
    '\\\\esx1\\Physical Disk SCSI Device(naa.1)\\Commands/sec',
    '\\\\esx1\\Physical Disk SCSI Device(naa.2)\\Average Driver MilliSec/Command',
    '\\\\esx1\\Power\\Power Usage Now Watts',
  ]),
  row(['05/15/2017 06:49:37', '0.00', '12.34', '1', '100.5', '2.25', '310']),
  row(['05/15/2017 06:49:42', '0.00', '15.00', '1', '-3', '', '311.5']),
].join('');

const iometerHead =
  "'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,MBps,Average Response Time,Maximum Response Time";
const iometerFile = [
  "'Test Type,Test Description",
  '0,my test',
  "'Version",
  '2006.07.27',
  "'Time Stamp",
  '2008-05-20 10:11:12:123',
  "'Results",
  iometerHead,
  'ALL,All,8K 50R 100Rnd,16,16,100,1234.5,600,634.5,9.6,12.25,310',
  'MANAGER,VM01,8K 50R 100Rnd,,1,5,77,1,1,1,1,1',
  "'Time Stamp",
  '2008-05-20 10:21:12:456',
  "'Results",
  iometerHead,
  'ALL,All,8K 50R 100Rnd,16,16,100,1300,650,650,9.6,13,300',
].join('\r\n');

const fioSide = (iops: number, n: number, runtime: number) => ({
  iops,
  total_ios: n,
  runtime,
  clat_ns: { N: n, mean: 2e6, bins: { 1000000: n }, percentile: { '95.000000': 3e6 } },
});
const fioFile = [1, 2, 3]
  .map((second) =>
    JSON.stringify(
      {
        'fio version': 'fio-3.33',
        timestamp_ms: 1_700_000_000_000 + second * 1_000,
        jobs: [
          {
            jobname: 'mixed',
            read: fioSide(60, 60 * second, 1_000 * second),
            write: fioSide(40, 40 * second, 1_000 * second),
          },
        ],
      },
      null,
      1,
    ),
  )
  .join('\n');

export const importFiles: Readonly<Record<ImportId, readonly string[]>> = {
  esxtop: [esxtopFile],
  iometer: [iometerFile],
  fio: [fioFile],
  dvdstore: [
    'et=   10.0 n_overall=20 opm=120 rt_tot_lastn_max_msec=867 rt_tot_avg_msec=182 rt_tot_sampled=90 rollbacks: n=0 %=  0.0 \nStats reset\net=   10.0 n_overall=50 opm=300 rt_tot_lastn_max_msec=100 rt_tot_avg_msec=50 rt_tot_sampled=44 rollbacks: n=0 %= 0.0\net=   20.0 n_overall=80 opm=240 rt_tot_lastn_max_msec=90 rt_tot_avg_msec=50 rt_tot_sampled=40 rollbacks: n=0 %=  0.0\nFinal: et=   21.0 n_overall=150 opm=147 rt_tot_lastn_max=1205',
  ],
  dbench: [
    '   4     21792   539.21 MB/sec  warmup   1 sec  latency 9.978 ms\n   4   1610876   492.32 MB/sec  execute   1 sec  latency 5.818 ms\n   4   1710876   490.32 MB/sec  execute   2 sec  latency 5.818 ms\nThroughput 497.551 MB/sec  4 clients  4 procs  max_latency=713.045 ms\n',
  ],
  sysbench: [
    'sysbench 1.0.20\n[ 1s ] thds: 2 tps: 20.01 qps: 400.22 (r/w/o: 280.2/80.0/40.0) lat (ms,95%): 3.43 err/s: 0.50 reconn/s: 0.00\n[ 2s ] thds: 2 tps: 21.00 qps: 1.00 lat (ms,99%): 9.00 err/s: 0.00\n',
    '[  46s] threads: 32, tps: 14336.08, reads: 143349.82, writes: 0.00, response time: 2.33ms (95%), errors: 0.00, reconnects:  0.00\n',
  ],
  tilekit: [toolFile('tilekit-web')],
  pgbench: ['pgbench-progress', 'pgbench-rate', 'pgbench-report'].map(toolFile),
  pgbenchLog: ['pgbench-log', 'pgbench-intervals'].map(toolFile),
  iperf3: [...['iperf3-json-tcp', 'iperf3-json-udp'].map(toolFile), iperf3Stream],
  iperf3Text: ['iperf3-tcp', 'iperf3-streams', 'iperf3-both-ways'].map(toolFile),
  sockperf: ['sockperf', 'sockperf-log'].map(toolFile),
  h2load: ['h2load', 'h2load-log'].map(toolFile),
  wrk: [toolFile('wrk-errors')],
  k6: [k6Points, k6Csv, k6Summary],
  jmeter: [toolFile('jmeter-csv')],
  jmeterXml: [toolFile('jmeter-xml')],
};
