import { nut } from './nut.ts';
import { vcenter } from './vcenter.ts';

/**
 * Where watts come from, by the `type` of a source. All but `vcenter` are meters of their own; what
 * opens them is in `workers/engine/power/meters.ts`.
 */
export const powerSources = { nut, vcenter };
