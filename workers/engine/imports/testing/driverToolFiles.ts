import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a tool itself printed, in `tools/`: pgbench 15.18, iperf 3.12, sockperf 3.7, h2load of nghttp2
 * 1.52, wrk 4.1, JMeter 5.6.3, tilekit 1.4.0.
 */
export const toolFile = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'tools', `${name}.txt`), 'utf8');

interface Iperf3Result {
  start: object;
  intervals: readonly object[];
  end: object;
}
const tcp = JSON.parse(toolFile('iperf3-json-tcp')) as Iperf3Result;

/** The events of `--json-stream`, in their published form. */
export const iperf3Stream = [
  { event: 'start', data: tcp.start },
  ...tcp.intervals.map((data) => ({ event: 'interval', data })),
  { event: 'end', data: tcp.end },
]
  .map((one) => `${JSON.stringify(one)}\n`)
  .join('');

const k6Point = (metric: string, atMs: number, value: number): string =>
  JSON.stringify({
    metric,
    type: 'Point',
    data: {
      time: new Date(atMs).toISOString().replace('Z', '123Z'),
      value,
      tags: { scenario: 'default' },
    },
  });
const k6StartMs = Date.UTC(2026, 10, 24, 8, 0, 0, 100);
/** k6's points in their published form: four iterations a second, the last of which fails. */
const k6Steps = [...Array(12).keys()].map((i) => ({
  atMs: k6StartMs + i * 250,
  tookMs: 10 + i,
  failed: i === 11 ? 1 : 0,
}));
export const k6Points = [
  '{"type":"Metric","data":{"name":"http_req_duration","type":"trend","contains":"time"},"metric":"http_req_duration"}',
  ...k6Steps.flatMap(({ atMs, tookMs, failed }) => [
    k6Point('http_reqs', atMs, 1),
    k6Point('http_req_duration', atMs, tookMs),
    k6Point('http_req_failed', atMs, failed),
    k6Point('iterations', atMs, 1),
  ]),
  '',
].join('\n');
export const k6Csv = [
  'metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata',
  ...k6Steps.flatMap(({ atMs, tookMs, failed }) =>
    [
      ['http_reqs', 1],
      ['http_req_duration', tookMs],
      ['http_req_failed', failed],
      ['iterations', 1],
    ].map(
      ([metric, value]) =>
        `${metric},${Math.floor(atMs / 1_000)},${Number(value).toFixed(6)},,,,true,,GET,"http://10.0.0.5/a,b",HTTP/1.1,default,,200,,,http://10.0.0.5/,,`,
    ),
  ),
  '',
].join('\n');
/** `--summary-export`, in its published form. */
export const k6Summary = JSON.stringify(
  {
    metrics: {
      http_req_duration: { avg: 15.5, min: 10, med: 15, max: 21, 'p(90)': 20, 'p(95)': 20.5 },
      http_req_failed: { passes: 1, fails: 11, value: 0.083 },
      iteration_duration: { avg: 250, min: 240, med: 250, max: 260, 'p(90)': 255, 'p(95)': 258 },
      iterations: { count: 12, rate: 4 },
    },
    root_group: { name: '', path: '', groups: {}, checks: {} },
  },
  null,
  4,
);
