import type { ActKindId } from '../../../src/core/acts/act.ts';
import type { LabSpec } from '../../../src/core/lab/lab.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { GalleryItem } from '../../../src/core/study/study.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';
import { idOf, plan } from './build.ts';
import type { Library } from './library.ts';

/** A plan in which one thing happens to a lab, and what the gallery tells of it. */
export interface ActPlan {
  plan: Plan;
  also: NonNullable<GalleryItem['also']>[number];
}
interface Of {
  testbed: Testbed;
  profile: Profile;
}

function actPlan(
  { testbed, profile }: Of,
  galleryId: string,
  of: {
    kind: ActKindId;
    host: string;
    title: string;
    paragraph: string;
    source: string;
    notes: string;
    tiles: number;
    steadyS?: number;
    atS: number;
    workloadMs: number;
    vcenterMs: number;
  },
): ActPlan {
  const { title, paragraph, source, host, workloadMs, vcenterMs, steadyS } = of;
  const id = idOf(galleryId, of.kind);
  return {
    also: { planId: id, title, paragraph, source },
    plan: plan({
      galleryId,
      id,
      name: title,
      testbed,
      profile,
      tiles: of.tiles,
      phases: { ...profile.phases, ...(steadyS === undefined ? {} : { steadyS }) },
      sampling: { workloadMs, vcenterMs },
      acts: [{ id: 'act', kind: of.kind, atS: of.atS, target: { ref: host, name: host } }],
      notes: of.notes,
    }),
  };
}

/** The experiment that the post of E01 announces. */
export const hostJoinsE01 = (lib: Library, bed: Of): ActPlan =>
  actPlan(bed, 'E01', {
    kind: 'hostJoins',
    host: 'esx1',
    title: 'A host joins an overcommitted cluster',
    paragraph:
      'The experiment that the post announces: three servers are full with fifteen tiles, the ' +
      'fourth joins, and DRS relieves them. Modelled; its author published no figures of it.',
    source: lib.line(60),
    notes:
      'Three servers carry the tiles; the fourth joins in the steady state, and DRS spreads the ' +
      'virtual machines over it.',
    ...lib.given(
      'A host joins',
      { tiles: 15, steadyS: 5_400, atS: 1_800, workloadMs: 10_000, vcenterMs: 20_000 },
      'chosen: the post announces the experiment and gives no figures of it; three servers ' +
        'are full with so many tiles, and DRS has the time to move',
    ),
  });

/** The experiment that the post of E06 proposes. */
export const hostFailsE06 = (lib: Library, bed: Of): ActPlan =>
  actPlan(bed, 'E06', {
    kind: 'hostFails',
    host: 'esx3',
    title: 'A host fails, HA restarts its VMs',
    paragraph:
      'The experiment that the post proposes: fewer tiles, and one server fails. HA notices and ' +
      'restarts its virtual machines on the others. Modelled; no figures were published.',
    source: lib.line(33),
    notes:
      'One of four servers fails in the steady state; HA restarts its virtual machines on the ' +
      'three that are left.',
    ...lib.given(
      'A host fails',
      { tiles: 2, atS: 900, workloadMs: 10_000, vcenterMs: 20_000 },
      'chosen: the post proposes the experiment and gives no figures of it; two tiles ' +
        'leave half of the processors free',
    ),
  });

/** Times of HA in a lab: only a host that fails knows of them. */
export const haTimes = (lib: Library): NonNullable<LabSpec['ha']> =>
  lib.given(
    'HA',
    { detectS: 30, restartS: 60, startsAtOnce: 4 },
    'chosen: no source gives how long HA takes to notice a failed host and to start a VM',
  );
