/** At most this many runs beside the baseline; the contract refuses more. */
export const maxCompared = 8;

export interface CompareChoice {
  baselineId: string | null;
  /** Without the baseline, each once. */ ids: string[];
  /** The run that all are scored against; absent = as each was scored. */
  referenceId?: string;
}

/** `?base=a&ids=b,c&reference=a` as a choice. Without `base` the first id is the baseline. */
export function choiceFromParams(params: URLSearchParams): CompareChoice {
  const listed = (params.get('ids') ?? '').split(',').filter(Boolean);
  const baselineId = params.get('base') ?? listed[0] ?? null;
  const referenceId = params.get('reference');
  return {
    ...(referenceId === null ? {} : { referenceId }),
    baselineId,
    ids: [...new Set(listed)].filter((id) => id !== baselineId).slice(0, maxCompared),
  };
}

/** The address of a choice, with the path. */
export function compareAddress(
  baselineId: string | null,
  ids: readonly string[],
  referenceId?: string,
): string {
  const others = [...new Set(ids)].filter((id) => id !== baselineId);
  const params = [
    baselineId === null ? null : `base=${encodeURIComponent(baselineId)}`,
    others.length === 0 ? null : `ids=${others.map(encodeURIComponent).join(',')}`,
    referenceId === undefined ? null : `reference=${encodeURIComponent(referenceId)}`,
  ].filter((p) => p !== null);
  return params.length === 0 ? '/compare' : `/compare?${params.join('&')}`;
}

/**
 * The next run becomes the baseline, the old baseline goes to the end: as many presses as runs come
 * round.
 */
export function nextBaseline(choice: CompareChoice): CompareChoice {
  const { baselineId, ids } = choice;
  const [next, ...rest] = ids;
  return next === undefined || baselineId === null
    ? choice
    : { ...choice, baselineId: next, ids: [...rest, baselineId] };
}
