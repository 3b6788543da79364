import type { LabSpec } from '../../../src/core/lab/lab.ts';
import type { MetricName } from '../../../src/core/metric/metric.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type {
  AxisValue,
  ExpectationLine,
  GalleryItem,
  PublishedPoint,
  StudyBasis,
  StudyPoint,
  StudySpec,
} from '../../../src/core/study/study.ts';
import type { Connection } from '../../../src/core/testbed/connection.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';

/** What expectations may look at: the study's points, and the samples behind them. */
export interface StudyView {
  readonly points: readonly StudyPoint[];
  /**
   * Mean over the repeats of the points with these axis values; null where nothing was measured.
   */
  value(measure: string, at: Readonly<Record<string, AxisValue>>): number | null;
  /**
   * Samples of one run by seconds since its launch; `entityId` absent = sum over all entities of
   * the kind, bucket by bucket. null = not measured.
   */
  series(
    at: Readonly<Record<string, AxisValue>>,
    metric: MetricName,
    entity: { kind: string; id?: string },
  ): { elapsedS: Float64Array; value: Float64Array } | null;
}

/**
 * One ready-made study: data that builds a lab and a plan, and what its author published. Nothing
 * in it feeds the model but the lab.
 */
export interface GalleryEntry {
  item: Omit<GalleryItem, 'studyId' | 'state' | 'testbed'>;
  labs: readonly LabSpec[];
  connections: readonly Connection[];
  testbeds: readonly Testbed[];
  profiles: readonly Profile[];
  plan: Plan;
  /** Plans with acts on the same lab; `item.also` tells of them. */
  actPlans?: readonly Plan[];
  study: StudySpec;
  published: readonly PublishedPoint[];
  /** What its lab takes from the library; `serves` not counted yet. */
  basis: readonly StudyBasis[];
  /** Model beside published, with the tolerance that CI holds. */
  expectations(view: StudyView): ExpectationLine[];
}
