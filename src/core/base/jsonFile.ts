import { getNodeValue, type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import type * as z from 'zod';

import { type AppError, fail } from './errors.ts';
import { type FileFault } from './fileFault.ts';
import { overlong } from './overlong.ts';
import { schemaFaults } from './schemaFaults.ts';

/** A file larger than this is none of ours: 400 tiles of 19 VMs take less than 4 million. */
const maxChars = 8_000_000;

/**
 * Where a kind of file says its version, and the version that is read here. The first says of what
 * kind the file is.
 */
export type FileVersions = readonly { path: readonly string[]; known: number }[];

/**
 * Parses a JSON file by its schema; comments and trailing commas are allowed, a byte order mark is
 * dropped. `more` finds what the schema cannot say. A file of another version, or of another kind,
 * is refused by that word alone, whatever else is wrong with it. Throws invalidInput with
 * `name:line:column` of each fault (at most ten) and the path of its value. `what` names the whole:
 * `plan`, `results`.
 */
export function parseJsonFile<T>(
  name: string,
  text: string,
  schema: z.ZodType<T>,
  what: string,
  more: (value: T) => readonly FileFault[] = () => [],
  versions: FileVersions = [],
): T {
  if (text.startsWith('\ufeff'))
    return parseJsonFile(name, text.slice(1), schema, what, more, versions);
  checkDepth(name, text, what);
  const value = readJson(name, text);
  const refuse = (faults: readonly FileFault[]): never => {
    // Of a hundred thousand faults only those that are shown are looked up.
    throw refusal(name, text, placesOf(text, faults.slice(0, mostShown), what), faults.length);
  };
  const strange = versionFaults(value, versions, what);
  if (strange.length > 0) return refuse(strange);
  const long = overlong(schema, value);
  if (long) return refuse([long]);
  const parsed = schema.safeParse(value);
  if (!parsed.success) return refuse(schemaFaults(parsed.error));
  const faults = more(parsed.data);
  return faults.length > 0 ? refuse(faults) : parsed.data;
}

/**
 * What the text says. Nearly every file is plain JSON, which the runtime reads many times faster
 * than one with comments.
 */
function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const errors: ParseError[] = [];
    const tree = parseTree(text, errors, { allowTrailingComma: true });
    if (errors.length === 0 && tree !== undefined) return getNodeValue(tree);
    const placed = errors
      .slice(0, mostShown)
      .map((e) => ({ offset: e.offset, text: words(printParseErrorCode(e.error)) }));
    throw errors.length > 0
      ? refusal(name, text, placed, errors.length)
      : refusal(name, text, [{ offset: 0, text: 'the file is empty' }], 1);
  }
}

interface Placed {
  offset: number;
  text: string;
}
const mostShown = 10;

function refusal(name: string, text: string, shown: readonly Placed[], all: number): AppError {
  const lines = shown.map((fault) => `${name}:${position(text, fault.offset)}: ${fault.text}`);
  const rest = all > shown.length ? [`… and ${all - shown.length} more.`] : [];
  return fail(
    'invalidInput',
    [...lines, ...rest].join('\n'),
    'The format is described in docs/formats.md.',
  );
}

/**
 * Where the values of faults stand; what is missing stands nowhere, so its nearest parent is shown.
 * The text is read once more: a tree of it would take fifty times its memory.
 */
function placesOf(text: string, faults: readonly FileFault[], what: string): Placed[] {
  const found = faults.map(({ path, message }) => ({
    steps: path.map((step) =>
      typeof step === 'number' ? step : /^\d+$/.test(String(step)) ? Number(step) : String(step),
    ),
    message,
    depth: -1,
    offset: 0,
  }));
  const look = (offset: number, pathOf: () => readonly (string | number)[]): void => {
    const path = pathOf();
    for (const one of found) {
      // The last of two members of one name counts, as it does for the value.
      if (path.length < one.depth || path.length > one.steps.length) continue;
      if (path.every((step, i) => String(step) === String(one.steps[i]))) {
        one.depth = path.length;
        one.offset = offset;
      }
    }
  };
  visit(
    text,
    {
      onObjectBegin: (offset, _length, _line, _character, pathOf) => {
        look(offset, pathOf);
      },
      onArrayBegin: (offset, _length, _line, _character, pathOf) => {
        look(offset, pathOf);
      },
      onLiteralValue: (_value, offset, _length, _line, _character, pathOf) => {
        look(offset, pathOf);
      },
    },
    { allowTrailingComma: true },
  );
  return found.map(({ steps, message, offset }) => ({
    offset,
    text: `${steps.join('.') || what}: ${message}`,
  }));
}

function versionFaults(value: unknown, versions: FileVersions, what: string): FileFault[] {
  return versions.flatMap(({ path, known }, i): FileFault[] => {
    const found = path.reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined,
      value,
    );
    if (found === known) return [];
    if (typeof found === 'number' && found > known && Number.isInteger(found))
      return [
        {
          path,
          message:
            `version ${found} was written by a newer Tilebench; this one reads version ` +
            `${known}. Install the newer version.`,
        },
      ];
    if (found !== undefined)
      return [
        {
          path,
          message: `${(JSON.stringify(found) ?? 'this').slice(0, 40)} is no version; this Tilebench reads ${known}.`,
        },
      ];
    return i === 0 ? [{ path, message: `is missing: this is no ${what} file.` }] : [];
  });
}

/** Nothing of ours is nested deeper; the parser works by recursion. */
const maxDepth = 200;

/**
 * Refuses text that is too long or nested too deep before anything parses it. Throws invalidInput
 * with the place.
 */
export function checkDepth(name: string, text: string, what: string, characters = maxChars): void {
  if (text.length > characters)
    throw fail(
      'invalidInput',
      `${name} has ${text.length} characters; a ${what} file has at most ${characters}.`,
      'Remove what does not belong in it.',
    );
  let depth = 0,
    inText = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (inText) {
      if (code === 92) i += 1;
      else if (code === 34 || code === 10) inText = false;
    } else if (code === 34) inText = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > maxDepth)
        throw fail(
          'invalidInput',
          `${name}:${position(text, i)}: nested deeper than ${maxDepth}: no ${what} file.`,
          'The format is described in docs/formats.md.',
        );
    } else if (code === 125 || code === 93) depth -= 1;
  }
}

/** `InvalidCommaToken` → `invalid comma token`. */
function words(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** `line:column`, both from 1. */
export function position(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `${line}:${offset - before.lastIndexOf('\n')}`;
}
