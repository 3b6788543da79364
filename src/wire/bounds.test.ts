import fc from 'fast-check';
import * as z from 'zod';

import { isPrintable, limits, printable, printableLine } from '../core/base/bounds.ts';
import { field, fieldMeanings, fieldSizes } from '../core/base/field.ts';
import { bundleManifest, bundleRun } from '../core/history/bundle.ts';
import { tileClipboard } from '../core/layout/layoutClipboard.ts';
import { planFileSchema } from '../core/plan/plan.ts';
import { profileSchema } from '../core/profile/profile.ts';
import { resultsFileSchema } from '../core/score/resultsFile.ts';
import { snapshotSchema } from '../core/snapshot/snapshot.ts';
import { studyFileSchema } from '../core/study/studyFile.ts';
import { testbedFileSchema } from '../core/testbed/testbedFileTypes.ts';
import { type SchemaNode, walkSchema } from '../core/testing/walkSchema.ts';
import { events, methods } from './contract.ts';
import { fromEngine, toEngine } from './hostMessages.ts';

const roots: Readonly<Record<string, z.core.$ZodType>> = {
  ...Object.fromEntries(
    Object.entries(methods).flatMap(([name, { input, output }]) => [
      [`${name} input`, input],
      [`${name} output`, output],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(events).map(([name, payload]) => [`event ${name}`, payload]),
  ),
  'plan file': planFileSchema,
  'study file': studyFileSchema,
  'profile file': profileSchema,
  'testbed file': testbedFileSchema,
  'results file': resultsFileSchema,
  'bundle manifest': bundleManifest,
  'bundle run': bundleRun,
  snapshot: snapshotSchema,
  'copied tiles': tileClipboard,
  'message to the engine': toEngine,
  'message of the engine': fromEngine,
};

/** What is open about a schema by itself, or null. */
function openness({ schema }: SchemaNode): string | null {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const checks = (def.checks ?? []).map((check) => check._zod.def.check);
  const has = (...names: string[]): boolean => names.some((name) => checks.includes(name));
  switch (def.type) {
    case 'string':
      if (!has('max_length', 'length_equals')) return 'a string of any length';
      return fieldMeanings.get(schema) !== undefined
        ? null
        : 'a string that does not say what it is';
    case 'number':
      return has('greater_than') && has('less_than') ? null : 'a number of any size';
    case 'array':
      return has('max_length', 'length_equals') ? null : 'a list of any length';
    case 'record':
    case 'unknown':
    case 'custom':
      return fieldSizes.get(schema) === undefined ? `${def.type} of any size` : null;
    case 'object':
    case 'union':
    case 'pipe':
    case 'transform':
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'boolean':
    case 'literal':
    case 'enum':
    case 'null':
      return null;
    default:
      return `${def.type}: not known to this test`;
  }
}
const openPlaces = (root: z.core.$ZodType): string[] =>
  [...walkSchema(root)].flatMap((node) => {
    const open = openness(node);
    return open === null ? [] : [`${node.path}: ${open}`];
  });

describe('every schema that something from outside can reach', () => {
  it.each(Object.entries(roots))('%s has no open string, list, record or number', (_, root) => {
    expect(openPlaces(root)).toEqual([]);
  });

  it('is seen by this test where it is open', () => {
    const open = z.object({
      a: z.string(),
      b: z.array(z.number().min(0)).default([]),
      c: z.record(z.string().max(3), z.unknown()).optional(),
      d: z.union([z.string().max(5), z.any()]),
    });
    expect(openPlaces(open)).toEqual([
      '.a: a string of any length',
      '.b: a list of any length',
      '.b[]: a number of any size',
      '.c: record of any size',
      '.c{key}: a string that does not say what it is',
      '.c{}: unknown of any size',
      '.d|0: a string that does not say what it is',
      '.d|1: any: not known to this test',
    ]);
  });
});

describe('names', () => {
  it.each([
    ['a line end', 'a\nb'],
    ['an escape sequence', '\u001b[31mred'],
    ['a C1 control', 'a\u009b31m'],
    ['text that is turned', 'exe\u202etxt'],
    ['an isolate', '\u2066a'],
    ['a space of no width', 'a\u200bb'],
    ['a byte order mark', '\ufeffa'],
    ['half a surrogate pair', 'a\ud800b'],
    ['NUL', 'a\u0000'],
  ])('%s is refused', (_, text) => {
    expect(field.name('vm').safeParse(text).success).toBe(false);
    expect(isPrintable(printableLine(text))).toBe(true);
  });

  it.each(['Zürich-01', 'משרד', 'خادم', '服务器', 'می‌خواهم', '👩‍💻 lab', 'a b', 'e\u0301'])(
    '%s is taken, and shown as it is',
    (text) => {
      expect(field.name('vm').parse(text)).toBe(text);
      expect(printableLine(text)).toBe(text);
      expect(printable(text)).toBe(text);
    },
  );

  it('lose nothing but what does not print', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = printable(text);
        expect(isPrintable(shown.replace(/[\n\t]/g, ''))).toBe(true);
        expect(printable(shown)).toBe(shown);
        expect(printableLine(printableLine(text))).toBe(printableLine(text));
        const letters = (of: string): string => of.replace(/[^\p{L}\p{N}]/gu, '');
        expect(letters(shown)).toBe(letters(text));
        expect(letters(printableLine(text))).toBe(letters(text));
      }),
    );
  });
});

describe('figures', () => {
  it.each([1e300, -1e300, -1, Infinity, NaN, limits.timeMs + 1])(
    'a time of %s is refused',
    (at) => {
      expect(field.timeMs().safeParse(at).success).toBe(false);
    },
  );
  it('a count that is bumped stays a whole number', () => {
    expect(Number.isSafeInteger(limits.count + 1)).toBe(true);
    expect(field.count().safeParse(limits.count + 1).success).toBe(false);
  });
});

describe('a value of any form', () => {
  it.each([
    ['deep', JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown],
    ['wide', Array.from({ length: limits.json.values + 1 }, () => 0)],
    ['a long string', 'a'.repeat(limits.json.text + 1)],
    ['a huge number', 1e300],
  ])('%s is refused', (_, value) => {
    expect(field.anything().safeParse(value).success).toBe(false);
  });
  it('of few values is taken', () => {
    expect(field.anything().parse({ a: [1, 'b', null, true] })).toEqual({
      a: [1, 'b', null, true],
    });
  });
});
