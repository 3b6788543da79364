import { matchPath } from 'react-router';

import type { RunSummary } from '../../core/run/run.ts';
import { isEnd } from '../../core/run/states.ts';
import { replayPath } from './replayPath.ts';

export const presentRunPath = (runId: string): string => `/present/run/${runId}`;
export const presentReplayPath = (runId: string): string => `/present/replay/${runId}`;
export const presentStudyPath = (studyId: string): string => `/present/study/${studyId}`;
/** A story of one's own runs and studies. */
export const ownStoryPath = (storyId: string): string => `/present/own/${storyId}`;
export const editStoryPath = (storyId: string): string => `/studies/stories/${storyId}`;
export const storyPath = (storyId: string): string => `/present/story/${storyId}`;

const idOf = (pattern: string, pathname: string): string | undefined => {
  const id = matchPath(pattern, pathname)?.params['id'];
  return id === 'new' ? undefined : id;
};

/**
 * What the command "Replay" leads to: the run on show when it has ended, else the one that ended
 * last, else the history.
 */
export function replayTarget(pathname: string, runs: readonly RunSummary[]): string {
  const shown = idOf('/runs/:id/*', pathname);
  const ended = runs
    .filter((r) => isEnd(r.state) && r.startedAtMs !== null)
    .sort((a, b) => b.startedAtMs! - a.startedAtMs!);
  const run = ended.find((r) => r.id === shown) ?? ended[0];
  return run === undefined ? '/runs' : replayPath(run.id);
}

/**
 * What the command "Presenter view" leads to: the replay, run or study on show, else the active
 * run, else the choice.
 */
export function presentTarget(pathname: string, activeRunId: string | null): string {
  const replay = idOf('/runs/:id/replay', pathname);
  if (replay !== undefined) return presentReplayPath(replay);
  const run = idOf('/runs/:id', pathname);
  if (run !== undefined) return presentRunPath(run);
  const study = idOf('/studies/:id', pathname);
  if (study !== undefined) return presentStudyPath(study);
  return activeRunId === null ? '/present' : presentRunPath(activeRunId);
}
