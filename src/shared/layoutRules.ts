import { type Forecast, forecast, type PlannedLoad, runningSlots } from './layoutForecast.ts';
import type { LayoutView, LayoutVm } from './layoutModel.ts';
import { capacityRules } from './layoutRulesCapacity.ts';
import { placeRules } from './layoutRulesPlaces.ts';
import { tileRules } from './layoutRulesTiles.ts';

export * from './layoutForecast.ts';

/** What a finding is about: where the board jumps to. `ref` is a slot key for `slot`, the number from 0 for `tile`. */
export interface FindingAt {
  kind: 'host' | 'datastore' | 'client' | 'tile' | 'slot' | 'testbed';
  ref: string;
}
export interface LayoutFinding {
  /** Id of the rule. */
  id: string;
  title: string;
  /** `block`: a run with it cannot be sound. `warn`: results may suffer. `info`: to know. */
  severity: 'block' | 'warn' | 'info';
  /** The figures, in words. */
  evidence: string;
  subject: string;
  at: FindingAt;
  fix: string;
  /** Source of the rule's threshold, or that it is this app's own. */
  source: string;
}
/** What a rule finds; title, id and source are the rule's. */
export interface Draft extends Pick<LayoutFinding, 'evidence' | 'subject' | 'at' | 'fix'> {
  severity?: LayoutFinding['severity'] | undefined;
  source?: string;
}
export interface RuleContext {
  view: LayoutView;
  slots: readonly LayoutVm[];
  forecast: Forecast;
  plan: PlannedLoad | undefined;
}
export interface LayoutRule {
  id: string;
  title: string;
  severity: LayoutFinding['severity'];
  source: string;
  find: (context: RuleContext) => Draft[];
}

/** Every rule of a layout. Pure; each with its source. */
export const layoutRules: readonly LayoutRule[] = [...tileRules, ...placeRules, ...capacityRules];

const order = { block: 0, warn: 1, info: 2 } as const;
/** Holds a layout against every rule: what must be mended first, first. With a plan, only its tiles and its parameters count. */
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
