import type { ReportSubject } from '../../wire/contract/leaving.ts';
import { choiceFromParams } from './compareAddress.ts';

/**
 * What the page at this address is about, as reports know it; null where it is about no single run,
 * comparison or study.
 */
export function subjectOf(pathname: string, search: string): ReportSubject | null {
  const [page = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  const [first = '', second = ''] = rest.map(decodeURIComponent);
  if (page === 'compare' && rest.length === 0) {
    const { baselineId, ids, ...scored } = choiceFromParams(new URLSearchParams(search));
    if (baselineId === null) return null;
    return ids.length === 0
      ? { kind: 'run', id: baselineId }
      : { kind: 'compare', baselineId, ids, ...scored };
  }
  if (page === 'runs' && first !== '') return { kind: 'run', id: first };
  if (page === 'studies' && !['', 'new', 'stories'].includes(first))
    return { kind: 'study', id: first };
  if ((page === 'detached' || page === 'present') && second !== '') {
    if (first === 'run' || first === 'replay') return { kind: 'run', id: second };
    if (first === 'study') return { kind: 'study', id: second };
  }
  return null;
}
