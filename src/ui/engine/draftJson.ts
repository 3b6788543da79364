const notANumber = '$notANumber';

/**
 * Drafts as they are kept over a reload. A field that holds no number yet is NaN; JSON would make
 * null of it, which counts as 0.
 */
export const draftsToJson = (drafts: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(drafts, (_key, value: unknown) =>
    Number.isNaN(value) ? { [notANumber]: true } : value,
  );

/** As `draftsToJson` wrote them. Throws SyntaxError for what is no JSON. */
export const draftsOfJson = (json: string): unknown =>
  JSON.parse(json, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && notANumber in value ? Number.NaN : value,
  ) as unknown;
