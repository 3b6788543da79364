import type * as z from 'zod';

import { printable, printableLine } from '../../../src/core/base/bounds.ts';

export type Stored<T> = { ok: true; data: T } | { ok: false; issue: string };

/**
 * JSON of a column, checked by its schema. Earlier versions stored what does not print: where the
 * schema refuses a value as it is, its texts are cleaned and it is asked again, first keeping their
 * line ends. Never throws: what does not parse comes back with where and why.
 */
export function readStored<T>(schema: z.ZodType<T>, json: string): Stored<T> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (thrown) {
    return { ok: false, issue: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, data: parsed.data };
  for (const clean of [printable, printableLine]) {
    const cleaned = schema.safeParse(cleanTexts(value, clean));
    if (cleaned.success) return { ok: true, data: cleaned.data };
  }
  const issue = parsed.error.issues[0];
  return {
    ok: false,
    issue: printableLine(`${issue?.path.join('.') || 'value'}: ${issue?.message ?? 'not valid'}`),
  };
}

/**
 * A text in JSON that may hold what does not print: as it is, or as an escape other than those of
 * quotes and line ends.
 */
const suspicious =
  /\\[ubfr]|[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;

/**
 * The same for what is only shown, reported and compared: whatever the schema would let pass, no
 * text that comes out of it holds a character that does not print, or that turns or hides others;
 * line ends and tabs stay. Clean JSON costs one look through it. What is sent to a peer or a shell
 * again is read as it is, by `readStored`.
 */
export function readShown<T>(schema: z.ZodType<T>, json: string): Stored<T> {
  if (!suspicious.test(json)) return readStored(schema, json);
  try {
    return readStored(schema, JSON.stringify(cleanTexts(JSON.parse(json), printable)));
  } catch {
    return readStored(schema, json);
  }
}

/** Every text of a value, keys too: what was one name stays one name wherever it stands. */
function cleanTexts(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => cleanTexts(one, clean));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [clean(key), cleanTexts(inner, clean)]),
  );
}
