import * as z from 'zod';

import { fail } from '../base/errors.ts';
import { powerSources } from './power/index.ts';
import type { PowerSourceKind } from './power/kind.ts';

type Kinds = typeof powerSources;
export type PowerType = keyof Kinds;
export type PowerSource = z.infer<Kinds[PowerType]['schema']>;
/** A source that is asked by itself; the counters of a vCenter come with those of its hosts. */
export type MeteredSource = Exclude<PowerSource, { type: 'vcenter' }>;

export const powerTypes = Object.keys(powerSources) as PowerType[];
export const powerSourceSchema = z.union(powerTypes.map((type) => powerSources[type].schema));

/** What is known of the type of this source, to be asked about it alone. */
export const powerKindOf = (
  source: PowerSource,
): Pick<PowerSourceKind<z.ZodType<PowerSource>>, 'address' | 'peer'> =>
  powerSources[source.type] as unknown as PowerSourceKind<z.ZodType<PowerSource>>;

export const isMetered = (source: PowerSource): source is MeteredSource =>
  source.type !== 'vcenter';

/** Throws invalidInput for a source without a meter of its own. */
export function demandMetered(source: PowerSource): MeteredSource {
  if (isMetered(source)) return source;
  throw fail(
    'invalidInput',
    'A vCenter power source has no meter of its own.',
    'It is read with the counters of its vCenter.',
  );
}
