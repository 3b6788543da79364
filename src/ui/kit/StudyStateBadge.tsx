import { pointStateWords, studyStateWords } from '../../core/study/stateWords.ts';
import type { StudyOverview, StudyPoint } from '../../core/study/study.ts';
import { StateMark, type StateTone } from './StateMark.tsx';

const studyTones: Readonly<Record<StudyOverview['state'], StateTone>> = {
  draft: 'idle',
  running: 'run',
  pausing: 'run',
  paused: 'warn',
  waiting: 'warn',
  done: 'ok',
  failed: 'bad',
};
const pointTones: Readonly<Record<StudyPoint['state'], StateTone>> = {
  pending: 'idle',
  running: 'run',
  passed: 'ok',
  qosFailed: 'warn',
  failed: 'bad',
  aborted: 'warn',
  skipped: 'idle',
};

/** State of a study: a dot and its word. */
export const StudyStateBadge = ({ state }: { state: StudyOverview['state'] }): React.ReactNode => (
  <StateMark tone={studyTones[state]} word={studyStateWords[state]} />
);
/** State of one point of a study. */
export const PointStateBadge = ({ state }: { state: StudyPoint['state'] }): React.ReactNode => (
  <StateMark tone={pointTones[state]} word={pointStateWords[state]} />
);
