import type * as z from 'zod';

export type Stored<T> = { ok: true; data: T } | { ok: false; issue: string };

/** JSON of a column, checked by its schema. Never throws: what does not parse comes back with where and why. */
export function readStored<T>(schema: z.ZodType<T>, json: string): Stored<T> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (thrown) {
    return { ok: false, issue: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, data: parsed.data };
  const issue = parsed.error.issues[0];
  return {
    ok: false,
    issue: `${issue?.path.join('.') || 'value'}: ${issue?.message ?? 'not valid'}`,
  };
}
