import * as z from 'zod';

import { fail } from '../../../src/core/base/errors.ts';
import { isSample } from '../../../src/core/metric/metric.ts';
import type { DriverInfo } from '../../../src/wire/contract/plans.ts';
import type { Driver } from './driver.ts';
import { driverList } from './drivers.ts';
import { createBadLines } from './lines.ts';

/**
 * Only samples leave a driver: what junk between digits made of a figure (`4.9.7`, 400 digits) or
 * of a time is counted among its bad lines here, for all of them.
 */
function samplesOnly(driver: Driver): Driver {
  return {
    ...driver,
    parser(params, options) {
      const strange = createBadLines();
      const parser = driver.parser(params, {
        ...options,
        emit(metric, tMs, value) {
          if (isSample(tMs, value)) options.emit(metric, tMs, value);
          else strange.add(`${metric} ${value} at ${tMs}`);
        },
      });
      return {
        push: (chunk) => parser.push(chunk),
        end: () => parser.end(),
        resume: () => parser.resume(),
        get badLines() {
          return parser.badLines + strange.count;
        },
        get badExamples() {
          return [...parser.badExamples, ...strange.examples].slice(0, 3);
        },
      };
    },
  };
}

/** Every driver by id. A driver only ever sees parameters that its own schema parsed. */
export const drivers: ReadonlyMap<string, Driver> = new Map(
  Object.values(driverList).map((driver) => [driver.id, samplesOnly(driver as unknown as Driver)]),
);

export function getDriver(id: string): Driver {
  const driver = drivers.get(id);
  if (!driver)
    throw fail(
      'notFound',
      `There is no driver ${id}.`,
      `Drivers are ${[...drivers.keys()].join(', ')}.`,
    );
  return driver;
}

const jsonProperty = z.object({
  type: z.string().optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  when: z.object({ member: z.string(), is: z.array(z.string()) }).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
/** Beyond lies the bound of the format, not one that a driver sets. */
const isBound = (limit: number | undefined): limit is number =>
  limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;

/** The drivers with their parameters, for forms. */
export function driverInfos(): DriverInfo[] {
  return [...drivers.values()].map(({ id, title, role, params }) => {
    const schema = z
      .object({ properties: z.record(z.string(), jsonProperty).default({}) })
      .parse(z.toJSONSchema(params, { io: 'input' }));
    return {
      id,
      title,
      role,
      params: Object.entries(schema.properties).map(([name, property]) => ({
        name,
        type:
          property.type === 'boolean'
            ? ('boolean' as const)
            : property.type === 'number' || property.type === 'integer'
              ? ('number' as const)
              : ('string' as const),
        default: property.default ?? null,
        description: property.description ?? name,
        ...(property.enum === undefined
          ? {}
          : {
              choices: property.enum.map((value) => ({
                value,
                label: property.labels?.[value] ?? value,
              })),
            }),
        ...(property.when === undefined ? {} : { when: property.when }),
        ...(isBound(property.minimum) ? { least: property.minimum } : {}),
        ...(isBound(property.maximum) ? { most: property.maximum } : {}),
      })),
    };
  });
}
