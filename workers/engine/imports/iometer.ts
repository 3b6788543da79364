import { counted } from '../../../src/core/base/counted.ts';
import { fail } from '../../../src/core/base/errors.ts';
import { lineImport } from './lines.ts';
import type { ImportFormat } from './types.ts';

/**
 * Results of Iometer (all three generations of its heads): each pass of a test is a moment with
 * IOPS, throughput and mean and greatest response time of all managers together (rows whose target
 * type is ALL). Source of the layout: iometer-org/iometer, src/ManagerList.cpp and PageSetup.cpp.
 */
export const iometer: ImportFormat = {
  matches: (beginning) =>
    /^﻿?'Test Type,Test Description/m.test(beginning) ||
    /^'Target Type,Target Name,Access Specification Name/m.test(beginning),
  open(sink, { fileName, startMs }) {
    let heads: string[] = [];
    let stamp = '';
    let atMs = NaN;
    let passes = 0;
    let bad = 0;
    const ids = new Map<string, number>();
    const idOf = (
      metric: 'throughput' | 'readIops' | 'writeIops' | 'latencyMeanMs' | 'latencyMaxMs',
      unit: string,
      spec: string,
    ): number => {
      const key = `${metric} ${spec}`;
      const known = ids.get(key);
      if (known !== undefined) return known;
      const id = sink.define({
        metric,
        unit,
        decimals: 3,
        periodMs: 1_000,
        source: 'Iometer',
        entity: { kind: 'workload', id: `iometer.${spec}`, name: spec },
      });
      ids.set(key, id);
      return id;
    };
    return lineImport(
      fileName,
      (line) => {
        if (line.startsWith("'")) {
          stamp = line;
          if (line.startsWith("'Target Type")) heads = line.slice(1).split(',');
          return;
        }
        if (stamp.startsWith("'Time Stamp")) {
          const parts = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d):(\d{3})/.exec(line);
          if (parts)
            atMs = Date.UTC(
              Number(parts[1]),
              Number(parts[2]) - 1,
              Number(parts[3]),
              Number(parts[4]),
              Number(parts[5]),
              Number(parts[6]),
              Number(parts[7]),
            );
          stamp = '';
          return;
        }
        const fields = line.split(',');
        if (fields[0] !== 'ALL' || heads.length === 0) return;
        // A row that ends elsewhere than its head was cut: none of its values can be trusted.
        const row = fields.at(-1) === '' ? fields.slice(0, -1) : fields;
        const head = heads.at(-1) === '' ? heads.slice(0, -1) : heads;
        const of = (name: string): number => Number(row[head.indexOf(name)] ?? NaN);
        const sum = of('Read IOps') + of('Write IOps');
        if (row.length !== head.length || Math.abs(sum - of('IOps')) > 1 + 0.01 * of('IOps')) {
          bad += 1;
          return;
        }
        passes += 1;
        const value = (name: string): number => Number(fields[heads.indexOf(name)] ?? NaN);
        const spec = fields[heads.indexOf('Access Specification Name')] || 'all specifications';
        const tMs = Number.isNaN(atMs) ? startMs + passes * 1_000 : atMs;
        const put = (metric: Parameters<typeof idOf>[0], unit: string, found: number): void => {
          if (Number.isFinite(found)) sink.add(idOf(metric, unit, spec), tMs, found);
        };
        put('throughput', 'IOPS', value('IOps'));
        put('readIops', 'IOPS', value('Read IOps'));
        put('writeIops', 'IOPS', value('Write IOps'));
        put('latencyMeanMs', 'ms', value('Average Response Time'));
        put('latencyMaxMs', 'ms', value('Maximum Response Time'));
      },
      () => {
        if (passes === 0)
          throw fail(
            'invalidInput',
            `${fileName}: no results of all managers (rows that begin with ` +
              `ALL)${bad > 0 ? ` could be read, ${bad} were damaged` : ''}.`,
            'Choose a results file that Iometer wrote to its end.',
          );
        sink.note(
          `${counted(passes, 'result')} of ${fileName}; each is the mean of its test, put at the time ` +
            "stamp before it (taken as UTC). Iometer's results have no course of time within a " +
            'test.',
        );
        if (bad > 0) sink.leaveOut(bad, 'row');
      },
    );
  },
};
