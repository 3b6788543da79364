import { parsePlanFile } from '../../../core/plan/planFile.ts';
import type { ImportSource } from '../../../core/planImport/schema.ts';
import { sourceOf } from '../../../wire/importOwn.ts';

/** A plan file as what is taken in; throws `invalidInput` with line and column. */
export const readPlanSource = (name: string, text: string): ImportSource =>
  sourceOf(parsePlanFile(name, text));
