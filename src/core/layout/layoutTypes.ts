import type { Plan } from '../plan/plan.ts';
import type { VmInfo } from '../testbed/inventory.ts';
import type { LayoutView, LayoutVm } from '../testbed/layoutModel.ts';

/** `unknown`: a figure or its limit is missing, and what is known does not break the limit. */
export type Level = 'ok' | 'warn' | 'over' | 'unknown';

/** One thing against its limit. Missing figures are null, and `missing` says which. */
export interface Figure {
  id: 'vcpu' | 'memory' | 'hbaQueue' | 'space' | 'commands' | 'tiles' | 'load' | 'traffic';
  label: string;
  unit: 'vCPUs' | 'MiB' | 'commands' | 'bytes' | 'tiles' | 'workloads' | 'Mb/s';
  /** Sum of the parts that are known; null = none is. */
  value: number | null;
  /** Of the value, what is no part of the tiles: other VMs that run there. */
  others: number;
  limit: number | null;
  /** Value over limit. With parts missing it is a lower bound. */
  ratio: number | null;
  level: Level;
  /** Where the level begins to warn, as a ratio. */
  warnAt: number;
  /** Parts whose figure is missing, of all parts. */
  missingParts: number;
  parts: number;
  /** What is missing, in words; null = nothing. */
  missing: string | null;
  /** Source of limit and threshold. */
  source: string;
}

export interface ForecastRow {
  ref: string;
  name: string;
  tiles: readonly number[];
  vms: number;
  figures: readonly Figure[];
  worst: Level;
}

/** An adapter of a host. */
export interface UplinkRow extends ForecastRow {
  hostRef: string;
  device: string;
  speedMbps: number | null;
  linkUp: boolean;
}

export interface Forecast {
  hosts: readonly ForecastRow[];
  /** vCPUs and memory of all hosts of a cluster that can take VMs. */ clusters: readonly ForecastRow[];
  datastores: readonly ForecastRow[];
  clients: readonly ForecastRow[];
  uplinks: readonly UplinkRow[];
}

/**
 * What a plan changes of the forecast: how many tiles run, and parameters that win over the
 * testbed's.
 */
export type PlannedLoad = Pick<Plan, 'tiles' | 'overrides'> & Partial<Pick<Plan, 'startPlacement'>>;

export interface Considered {
  view: LayoutView;
  slots: readonly LayoutVm[];
  byHost: ReadonlyMap<string, LayoutVm[]>;
  byDatastore: ReadonlyMap<string, LayoutVm[]>;
  byClient: ReadonlyMap<string, LayoutVm[]>;
  /** Powered-on VMs that are no running slot, by host. */
  others: ReadonlyMap<string, VmInfo[]>;
}

/**
 * What a finding is about: where the board jumps to. `ref` is a slot key for `slot`, the number
 * from 0 for `tile`.
 */
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
  /**
   * The checks before a run read the same from the live inventory, and tell it with what to do now.
   */
  readByChecks?: true;
  find: (context: RuleContext) => Draft[];
}
