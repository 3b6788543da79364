import { counted } from '../../../src/core/base/counted.ts';
import type { WebReport } from '../workloads/webReports.ts';
import { putReport } from './series.ts';

/** The report of a load tool of web servers: one value for each of its figures. */
export function putWebReport(
  sink: Parameters<typeof putReport>[0],
  of: Parameters<typeof putReport>[1],
  { seconds, succeeded, failed, lost, ...latencies }: WebReport,
): void {
  putReport(sink, of, seconds, {
    unit: 'requests/s',
    throughput: succeeded / seconds,
    errorsPerS: (failed + lost) / seconds,
    ...latencies,
  });
  if (lost > 0)
    sink.note(`${counted(lost, 'request')} of them came to no answer: errors or timeouts.`);
}
