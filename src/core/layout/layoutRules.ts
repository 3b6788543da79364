import type { LayoutView } from '../testbed/layoutModel.ts';
import { forecast, runningSlots } from './layoutForecast.ts';
import { capacityRules } from './layoutRulesCapacity.ts';
import { placeRules } from './layoutRulesPlaces.ts';
import { tileRules } from './layoutRulesTiles.ts';
import { type LayoutFinding, type LayoutRule, type RuleContext } from './layoutTypes.ts';
import { type Forecast, type PlannedLoad } from './layoutTypes.ts';

/** Every rule of a layout. Pure; each with its source. */
export const layoutRules: readonly LayoutRule[] = [...tileRules, ...placeRules, ...capacityRules];

const order = { block: 0, warn: 1, info: 2 } as const;
/**
 * Holds a layout against every rule: what must be mended first, first. With a plan, only its tiles
 * and its parameters count.
 */
export function checkLayout(
  view: LayoutView,
  plan?: PlannedLoad,
  figures: Forecast = forecast(view, plan),
): LayoutFinding[] {
  const context: RuleContext = { view, slots: runningSlots(view, plan), forecast: figures, plan };
  return layoutRules
    .flatMap((rule) =>
      rule.find(context).map((draft): LayoutFinding => ({
        id: rule.id,
        title: rule.title,
        ...draft,
        severity: draft.severity ?? rule.severity,
        source: draft.source ?? rule.source,
      })),
    )
    .sort((a, b) => order[a.severity] - order[b.severity]);
}
