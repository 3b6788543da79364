import type { StudyPoint } from './study.ts';
import type { StudyComparison } from './studyComparison.ts';

type PlaceRuns = StudyComparison['places'][number][number];

/**
 * The runs of one curve at one place, and what they say of quality of service; points that were not
 * measured are left out.
 */
export function placeRuns(points: readonly StudyPoint[]): PlaceRuns {
  const ended = points.filter(
    (p) => p.runId !== null && (p.state === 'passed' || p.state === 'qosFailed'),
  );
  const missed = ended.filter((p) => p.state === 'qosFailed');
  return {
    runIds: ended.map((p) => p.runId!),
    kept: ended.length - missed.length,
    missed: missed.length,
    detail: missed[0]?.detail ?? '',
  };
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;

/**
 * Where a curve keeps its QoS limits, in one sentence: `CX500 keeps its QoS limits up to 3 tiles
 * and misses them at 4 tiles: …`.
 * `words` names each place; `numeric`: places are numbers in rising order. Empty where nothing was
 * measured.
 */
export function qosSentence(
  name: string,
  places: readonly PlaceRuns[],
  words: readonly string[],
  numeric: boolean,
): string {
  const at = (is: (place: PlaceRuns) => boolean): number[] =>
    places.flatMap((place, i) => (is(place) ? [i] : []));
  const kept = at((p) => p.kept > 0 && p.missed === 0);
  const missed = at((p) => p.missed > 0);
  if (missed.length === 0) return kept.length === 0 ? '' : `${name} misses no QoS limit.`;
  const first = missed[0]!;
  const { runIds, missed: times, detail } = places[first]!;
  const some = times < runIds.length ? ` in ${times} of ${runIds.length} runs` : '';
  const reason = detail === '' ? some : `${some}: ${detail.replace(/\.$/, '')}`;
  const where = places.length === 1 ? '' : ` at ${listed(missed.map((i) => words[i]!))}`;
  if (kept.length === 0) return `${name} misses its QoS limits${where}${reason}.`;
  if (numeric && kept.at(-1)! < first)
    return `${name} keeps its QoS limits up to ${words[kept.at(-1)!]!} and misses them${where}${reason}.`;
  return `${name} misses its QoS limits${where}${reason}.`;
}
