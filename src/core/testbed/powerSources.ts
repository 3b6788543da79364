import * as z from 'zod';

import { fail } from '../base/errors.ts';
import { powerSources } from './power/index.ts';
import type { MeteredKind, PowerLogin, PowerSourceKind } from './power/kind.ts';
import type { SecretRef } from './secretRef.ts';

type Kinds = typeof powerSources;
export type PowerType = keyof Kinds;
export type PowerSource = z.infer<Kinds[PowerType]['schema']>;
type SourceRead<R> = z.infer<Extract<Kinds[PowerType], { reads: R }>['schema']>;
/** A source that is asked by itself. */
export type MeteredSource = SourceRead<'meter'>;
/** A source that is read with the counters of a vCenter's hosts. */
type CountedSource = SourceRead<'vcenter'>;

export const powerTypes = Object.keys(powerSources) as PowerType[];
export const powerSourceSchema = z.union(powerTypes.map((type) => powerSources[type].schema));

/** What is known of the type of this source, to be asked about it alone. */
export const powerKindOf = (
  source: PowerSource,
): Pick<PowerSourceKind<z.ZodType<PowerSource>>, 'address' | 'peer' | 'login' | 'certificate'> =>
  powerSources[source.type] as unknown as PowerSourceKind<z.ZodType<PowerSource>>;

/** Members that a source has where its kind logs in or presents a certificate. */
interface Guarded {
  password?: SecretRef | undefined;
  fingerprint256?: string | undefined;
}
const guardedOf = (source: PowerSource): Guarded => source as Guarded;

/** Who is logged in to and where the secret lies; null = nobody logs in. */
export function loginOfSource(source: PowerSource): (PowerLogin & { secret: SecretRef }) | null {
  const login = powerKindOf(source).login?.of(source) ?? null;
  const { password } = guardedOf(source);
  return login && password ? { ...login, secret: password } : null;
}

export const withPassword = (source: PowerSource, password: SecretRef): PowerSource => {
  const guarded: PowerSource & Guarded = { ...source, password };
  return guarded;
};

/** Whether the other end of this source presents a certificate, and which one is pinned. */
export function certificateOf(source: PowerSource): { pinned: string | undefined } | null {
  return powerKindOf(source).certificate?.(source)
    ? { pinned: guardedOf(source).fingerprint256 }
    : null;
}

export const withFingerprint = (source: PowerSource, fingerprint256: string): PowerSource => {
  const guarded: PowerSource & Guarded = { ...source, fingerprint256 };
  return guarded;
};

export const isMetered = (source: PowerSource): source is MeteredSource =>
  powerSources[source.type].reads === 'meter';

/** The vCenter connection whose hosts give the watts; null = the source has a meter of its own. */
export const vcenterOfSource = (source: PowerSource): string | null =>
  isMetered(source) ? null : source.vcenterId;

/** The source with another vCenter connection; one with a meter of its own stays as it is. */
export const withVcenter = (
  source: PowerSource,
  to: (vcenterId: string) => string,
): PowerSource => {
  if (isMetered(source)) return source;
  const counted: CountedSource = { ...source, vcenterId: to(source.vcenterId) };
  return counted;
};

/** Name or address of the machine a meter is asked at. */
export const meterHost = (source: MeteredSource): string =>
  (powerSources[source.type] as unknown as MeteredKind<z.ZodType<MeteredSource>>).host(source);

/** Throws invalidInput for a source without a meter of its own. */
export function demandMetered(source: PowerSource): MeteredSource {
  if (isMetered(source)) return source;
  throw fail(
    'invalidInput',
    `A power source of type ${source.type} has no meter of its own.`,
    'It is read with the counters of its vCenter.',
  );
}
