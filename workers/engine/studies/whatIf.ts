import { fail } from '../../../src/core/base/errors.ts';
import { applyEdits } from '../../../src/core/lab/applyEdits.ts';
import type { LabSpec } from '../../../src/core/lab/lab.ts';
import type { AxisValue, StudyPoint, StudySpec } from '../../../src/core/study/study.ts';
import { checkSpec } from '../../../src/core/study/sweep.ts';
import { heldAt, knownPoints, whatIfBases, whatIfStudy } from '../../../src/core/study/whatIf.ts';
import type { Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import { changedSpec } from '../simlab/changes.ts';
import type { StudyPeers } from './runner.ts';
import { variantOf } from './variant.ts';

type Methods = Pick<Handlers, 'study.lab' | 'study.whatIf'>;
interface Options {
  db: Pick<Database, 'studies' | 'testbeds'>;
  peers: Pick<StudyPeers, 'plan' | 'labOf'>;
  points: (studyId: string) => readonly StudyPoint[];
  save: (spec: StudySpec, known: readonly StudyPoint[]) => StudySpec;
}

/** What if: the simulated lab of a study, and the study of that lab with changes. */
export function whatIfMethods({ db, peers, points, save }: Options): Methods {
  const studyOf = (id: string): StudySpec => {
    const spec = db.studies.get(id);
    if (!spec) throw fail('notFound', 'There is no such study.', 'Refresh the list of studies.');
    return spec;
  };
  const baseOf = (spec: StudySpec, asked: AxisValue | undefined): AxisValue | null => {
    const bases = whatIfBases(spec);
    if (asked === undefined) return bases[0]?.value ?? null;
    if (!bases.some(({ value }) => value === asked))
      throw fail(
        'invalidInput',
        `${spec.name} has no ${asked} that changes could stand beside.`,
        `It has ${bases.map(({ label }) => label).join(', ') || 'one curve'}.`,
      );
    return asked;
  };
  /** The lab at a value of the first axis, with what the second holds. */
  const labAt = (spec: StudySpec, first: AxisValue, base: AxisValue | null): LabSpec => {
    const plan = peers.plan(spec.planId);
    const variant = variantOf(
      {
        ...spec,
        axes: [
          spec.axes[0]!,
          {
            name: 'held',
            label: spec.axes[1]?.label ?? '',
            unit: '',
            parameter: { kind: 'whatIf', held: heldAt(spec, base), sets: {} },
            values: ['given'],
            valueLabels: {},
          },
        ],
      },
      plan,
      { key: 'what if', values: { [spec.axes[0]!.name]: first, held: 'given' } },
    );
    const given = peers.labOf(variant.plan);
    if (given === null)
      throw fail(
        'conflict',
        `${spec.name} runs on no simulated lab that is loaded.`,
        'A what-if changes a simulated lab: open the demo lab, and install its study.',
      );
    return changedSpec(given, variant.labChanges).spec;
  };

  return {
    'study.lab': async ({ id, base: asked }) => {
      const spec = studyOf(id);
      const base = baseOf(spec, asked);
      const plan = peers.plan(spec.planId);
      const { parts } = await import('../gallery/libraryParts.ts');
      return {
        lab: labAt(spec, spec.axes[0]!.values[0]!, base),
        base,
        bases: whatIfBases(spec),
        tiles: db.testbeds.get(plan.testbedId)?.tiles.length ?? 0,
        disks: Object.entries(parts.disks).map(([name, { rpm, seekMs, diskMbps }]) => ({
          name,
          rpm,
          seekMs,
          diskMbps,
        })),
      };
    },
    'study.whatIf': async ({ id, base: asked, values, edits }) => {
      const spec = studyOf(id);
      const base = baseOf(spec, asked);
      const made = whatIfStudy(spec, labAt(spec, values[0]!, base), {
        id: freeId(spec.id, (one) => db.studies.get(one) !== null),
        base,
        values,
        edits,
      });
      checkSpec(made);
      const first = spec.axes[0]!;
      if (first.parameter.kind === 'tiles') {
        const tiles = db.testbeds.get(peers.plan(spec.planId).testbedId)?.tiles.length ?? 0;
        const over = values.find((value) => Number(value) > tiles);
        if (over !== undefined)
          throw fail(
            'invalidInput',
            `${first.label}: ${over} is more than the ${tiles} that the testbed has.`,
            `Give numbers from 1 to ${tiles}.`,
          );
      }
      // Each value of the first axis may be another lab: none of them may refuse the changes later.
      for (const value of values) applyEdits(labAt(spec, value, base), edits);
      return { id: save(made, knownPoints(spec, points(id), made)).id };
    },
  };
}

/** `e01-study-what-if-2`: the first that is free. */
function freeId(studyId: string, taken: (id: string) => boolean): string {
  const stem = studyId.replace(/-what-if-\d+$/, '').slice(0, 48);
  let number = 1;
  while (taken(`${stem}-what-if-${number}`)) number += 1;
  return `${stem}-what-if-${number}`;
}
