import * as z from 'zod';

import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import type { RedfishSession } from './session.ts';

/** Something a controller says in watts. */
export interface Candidate {
  /** Resource and JSON pointer: `/redfish/v1/Chassis/1/Power#/PowerControl/0/PowerConsumedWatts`. */
  reading: string;
  /** Name and place, as the controller says them. */
  label: string;
  /** null = it gives no number now; 0 = no meter, or off. */
  watts: number | null;
  /** Whether it says the watts of the whole machine, and how surely: lower is surer; null = no. */
  rank: number | null;
}

const link = z.object({ '@odata.id': z.string().max(500) });
const collection = z.object({ Members: z.array(link).max(1_000) });
const root = z.object({ Chassis: link });
const chassisSchema = z.object({
  Id: z.string().max(200).default(''),
  Name: z.string().max(200).nullish(),
  Links: z.object({ ComputerSystems: z.array(z.unknown()).nullish() }).nullish(),
  EnvironmentMetrics: link.nullish(),
  Power: link.nullish(),
  Sensors: link.nullish(),
});
type Chassis = z.infer<typeof chassisSchema> & { path: string; holdsSystem: boolean };

/** Enclosures, and sensors of each, that are looked at: enough for a server, bounded for a rack. */
const mostChassis = 16;
const mostSensors = 12;

/** A number, or one written as text, as some controllers do; null = neither. */
export function numberOf(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(value.trim())
        ? Number(value)
        : NaN;
  return Number.isFinite(number) ? number : null;
}

/** What a JSON pointer (RFC 6901) leads to; undefined = nothing. */
export function pointedAt(body: unknown, pointer: string): unknown {
  let at = body;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null) return undefined;
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined;
  }
  return at;
}

const isTotal = /server|system|chassis|total|node|machine/i;
const isPart = /cpu|processor|memory|dimm|gpu|accelerator|fan|drive|storage|pcie|domain/i;

/**
 * Everything of a controller that is in watts and may be the machine's, the likeliest first.
 * `EnvironmentMetrics.PowerWatts` of the enclosure that holds the system comes before its
 * `PowerControl` (member 0, or one that is called by the system), a sensor of the whole enclosure
 * last. Parts are listed, never chosen; nothing is summed: supplies and parts overlap.
 */
export async function findReadings(
  session: RedfishSession,
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const chassis = await readChassis(session, signal);
  const found: Candidate[] = [];
  for (const one of chassis) {
    // A rack's other enclosures hold no system: theirs are listed, none is chosen.
    const demote = chassis.some(({ holdsSystem }) => holdsSystem) && !one.holdsSystem;
    const of = [
      ...(await environment(session, one, signal)),
      ...(await controls(session, one, signal)),
      ...(await sensors(session, one, signal)),
    ];
    found.push(...of.map((each) => (demote ? { ...each, rank: null } : each)));
  }
  const place = ({ rank, watts }: Candidate): number =>
    rank === null ? 100 : watts === null || watts === 0 ? 50 + rank : rank;
  return found.sort((a, b) => place(a) - place(b)).slice(0, 100);
}

/** The one that is read where none was chosen; null = the controller has none of the machine. */
export const chosenReading = (candidates: readonly Candidate[]): Candidate | null =>
  candidates.find(({ rank, watts }) => rank !== null && watts !== null && watts > 0) ?? null;

async function readChassis(session: RedfishSession, signal?: AbortSignal): Promise<Chassis[]> {
  const read = async <T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>> => {
    const parsed = schema.safeParse((await session.get(path, signal)).body);
    if (parsed.success) return parsed.data;
    throw fail(
      'notFound',
      `${path} is no Redfish resource as it should be: it lacks ` +
        `${parsed.error.issues[0]?.path.join('.') ?? 'members'}.`,
      'Check that the address is that of a management controller with Redfish.',
    );
  };
  const { Chassis: list } = await read('/redfish/v1/', root);
  const { Members } = await read(list['@odata.id'], collection);
  const chassis: Chassis[] = [];
  for (const { '@odata.id': path } of Members.slice(0, mostChassis)) {
    const one = await read(path, chassisSchema);
    chassis.push({
      ...one,
      path,
      holdsSystem: (one.Links?.ComputerSystems?.length ?? 0) > 0,
    });
  }
  return chassis;
}

/** A resource that an enclosure need not have, or not let this user see: null. */
async function optional(
  session: RedfishSession,
  at: { '@odata.id': string } | null | undefined,
  signal?: AbortSignal,
): Promise<{ path: string; body: Record<string, unknown> } | null> {
  const path = at?.['@odata.id'];
  if (path === undefined || !path.startsWith('/redfish/')) return null;
  try {
    return { path, body: (await session.get(path, signal)).body as Record<string, unknown> };
  } catch (error) {
    if (toAppError(error).kind === 'notFound') return null;
    throw error;
  }
}

const called = ({ Id, Name, path }: Chassis): string => Name ?? (Id || path);

async function environment(
  session: RedfishSession,
  chassis: Chassis,
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const found = await optional(session, chassis.EnvironmentMetrics, signal);
  const watts = numberOf(pointedAt(found?.body, '/PowerWatts/Reading'));
  return found === null || watts === null
    ? []
    : [
        {
          reading: `${found.path}#/PowerWatts/Reading`,
          label: `${called(chassis)}: environment metrics`,
          watts,
          rank: 0,
        },
      ];
}

async function controls(
  session: RedfishSession,
  chassis: Chassis,
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const found = await optional(session, chassis.Power, signal);
  const members = found?.body['PowerControl'];
  if (found === null || !Array.isArray(members)) return [];
  return members.slice(0, 64).flatMap((member: unknown, index): Candidate[] => {
    if (typeof member !== 'object' || member === null || !('PowerConsumedWatts' in member))
      return [];
    const { Name, MemberId } = member as { Name?: unknown; MemberId?: unknown };
    const name = typeof Name === 'string' ? Name.slice(0, 200) : '';
    const isFirst = MemberId === undefined ? index === 0 : MemberId === '0' || MemberId === 0;
    const isMachine = !isPart.test(name) && (isTotal.test(name) || isFirst);
    return [
      {
        reading: `${found.path}#/PowerControl/${index}/PowerConsumedWatts`,
        label: `${called(chassis)}: ${name || `power control ${index}`}`,
        watts: numberOf(member.PowerConsumedWatts),
        rank: isMachine ? (isTotal.test(name) ? 1 : 2) : null,
      },
    ];
  });
}

async function sensors(
  session: RedfishSession,
  chassis: Chassis,
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const list = collection.safeParse((await optional(session, chassis.Sensors, signal))?.body);
  if (!list.success) return [];
  const named = list.data.Members.filter(({ '@odata.id': path }) =>
    /power|watt/i.test(path.split('/').at(-1) ?? ''),
  ).slice(0, mostSensors);
  const found: Candidate[] = [];
  for (const at of named) {
    const sensor = await optional(session, at, signal);
    if (sensor === null) continue;
    const { Name, ReadingType, ReadingUnits } = sensor.body;
    if (ReadingType !== 'Power' && ReadingUnits !== 'W') continue;
    const name = typeof Name === 'string' ? Name.slice(0, 200) : sensor.path.split('/').at(-1)!;
    found.push({
      reading: `${sensor.path}#/Reading`,
      label: `${called(chassis)}: sensor ${name}`,
      watts: numberOf(sensor.body['Reading']),
      rank: !isPart.test(name) && /total|input|system|chassis/i.test(name) ? 3 : null,
    });
  }
  // Several inputs are parts of the whole: none of them is the machine.
  const whole = found.filter(({ rank }) => rank !== null);
  return whole.length === 1 ? found : found.map((one) => ({ ...one, rank: null }));
}
