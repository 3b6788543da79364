import { fail } from '../../../src/core/base/errors.ts';
import { applyEdits } from '../../../src/core/lab/applyEdits.ts';
import { type LabSpec, labSpecSchema } from '../../../src/core/lab/lab.ts';
import { type LabEdit, labEdit } from '../../../src/core/lab/labEdit.ts';

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/**
 * Sets `path` (`hosts.0.ghz`, `drs.stars`) of a plain document. Throws invalidInput where the path
 * leads nowhere.
 */
function setPath(root: Node, path: string, value: unknown, lab: string): void {
  const keys = path.split('.');
  let at: Node = root;
  for (const key of keys.slice(0, -1)) {
    const next = at[key];
    if (!Object.hasOwn(at, key) || !isNode(next))
      throw fail(
        'invalidInput',
        `Lab ${lab} has nothing at ${path}: ${key} is not there.`,
        'Name a property of the lab, as drs.stars or hosts.0.ghz.',
      );
    at = next;
  }
  const last = keys.at(-1)!;
  if (
    Array.isArray(at)
      ? !(Number(last) >= 0 && Number(last) < at.length)
      : !Object.hasOwn(at, last) && !optional.has(last)
  )
    throw fail(
      'invalidInput',
      `Lab ${lab} has nothing at ${path}.`,
      'Name a property of the lab, as drs.stars or hosts.0.ghz.',
    );
  at[last] = value;
}
/** Properties that may be missing from a lab and still be set. */
const optional: ReadonlySet<string> = new Set([
  'shares',
  'capW',
  'timeoutMs',
  'burst',
  'maintenanceDatastoreId',
  'vnics',
  'memoryReservationMb',
]);

/**
 * A lab with changes by path; the key `variant` names one of its sets, applied before the others;
 * `edits` are changes as people say them, applied last.
 * Throws invalidInput for an unknown path, an unknown variant, or a value the lab cannot have.
 */
export function changedSpec(
  given: LabSpec,
  changes: Readonly<Record<string, unknown>>,
): { spec: LabSpec; variant: string | null } {
  const root = structuredClone({
    ...given,
    // What a core does holds at the clock the lab was given with: another clock makes it faster or
    // slower.
    hosts: given.hosts.map((host) => ({ ...host, ratedGhz: host.ratedGhz ?? host.ghz })),
  }) as unknown as Node;
  const { variant, edits, ...others } = changes;
  const name = typeof variant === 'string' && variant !== '' ? variant : null;
  if (name === null && variant !== undefined && variant !== null && variant !== '')
    throw fail('invalidInput', `A variant of lab ${given.name} is named by a text.`);
  if (name !== null) {
    const set = given.variants[name];
    if (!set)
      throw fail(
        'invalidInput',
        `Lab ${given.name} has no variant ${name}.`,
        `Variants are ${Object.keys(given.variants).join(', ') || 'none'}.`,
      );
    for (const { path, value } of set) setPath(root, path, structuredClone(value), given.name);
  }
  for (const [path, value] of Object.entries(others)) setPath(root, path, value, given.name);
  const parsed = labSpecSchema.safeParse(root);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw fail(
      'invalidInput',
      `Lab ${given.name} cannot have this: ${issue?.path.join('.') ?? '?'}: ${issue?.message ?? 'invalid'}.`,
      'Give a value in the range of the property.',
    );
  }
  return { spec: applyEdits(parsed.data, editsOf(given, edits)), variant: name };
}

function editsOf(given: LabSpec, edits: unknown): LabEdit[] {
  const parsed = labEdit.array().default([]).safeParse(edits);
  if (parsed.success) return parsed.data;
  throw fail(
    'invalidInput',
    `The changes of lab ${given.name} are not valid: ${parsed.error.issues[0]?.path.join('.') ?? '?'}.`,
    'Make them again.',
  );
}
