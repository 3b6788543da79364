import type { StudyOverview, StudyPoint } from '../../../core/study/study.ts';
import type { Story, StoryStep } from './stories.ts';
import { donePoints } from './studyNumbers.ts';

/**
 * How a study of the story is shown: `stored` plays results that were there before, point by point;
 * `live` shows what comes.
 */
export interface StudyShow {
  phase: 'unknown' | 'installing' | 'stored' | 'starting' | 'live' | 'failed';
  studyId: string | null;
  planId: string | null;
  /** Points shown so far of those that were stored. */
  revealed: number;
  error: string | null;
}
export interface StoryState {
  step: number;
  paused: boolean;
  shows: Readonly<Record<string, StudyShow>>;
}

export type StoryEvent =
  | { on: 'next' }
  | { on: 'previous' }
  | { on: 'first' }
  | { on: 'last' }
  | { on: 'pause' }
  | { on: 'retry' }
  /** A step began an effect; the second of the same is not begun. */
  | { on: 'begun'; galleryId: string; effect: StoryEffect['do'] }
  | { on: 'installed'; galleryId: string; studyId: string; planId: string }
  | { on: 'failed'; galleryId: string; message: string }
  /** What is known of the study of a gallery entry. */
  | { on: 'study'; galleryId: string; overview: StudyOverview }
  /** A second has passed. */
  | { on: 'second'; overview: StudyOverview | null };
export type StoryEffect =
  { do: 'install'; galleryId: string } | { do: 'start'; galleryId: string; studyId: string };

const fresh: StudyShow = {
  phase: 'unknown',
  studyId: null,
  planId: null,
  revealed: 0,
  error: null,
};
export const firstState: StoryState = { step: 0, paused: false, shows: {} };
export const showOf = (state: StoryState, galleryId: string): StudyShow =>
  state.shows[galleryId] ?? fresh;
const withShow = (
  state: StoryState,
  galleryId: string,
  change: Partial<StudyShow>,
): StoryState => ({
  ...state,
  shows: { ...state.shows, [galleryId]: { ...showOf(state, galleryId), ...change } },
});

/**
 * The story after an event. Pure; a failure changes what is shown, never where the presenter is.
 */
export function reduceStory(story: Story, state: StoryState, event: StoryEvent): StoryState {
  const last = story.steps.length - 1;
  const current = story.steps[state.step]!;
  switch (event.on) {
    case 'next':
      return goTo(story, state, Math.min(last, state.step + 1));
    case 'previous':
      return goTo(story, state, Math.max(0, state.step - 1));
    case 'first':
      return goTo(story, state, 0);
    case 'last':
      return goTo(story, state, last);
    case 'pause':
      return { ...state, paused: !state.paused };
    case 'retry':
      return showOf(state, current.galleryId).phase === 'failed'
        ? withShow(state, current.galleryId, { phase: 'unknown', error: null })
        : state;
    case 'begun':
      return withShow(state, event.galleryId, {
        phase: event.effect === 'install' ? 'installing' : 'starting',
        error: null,
      });
    case 'installed':
      return withShow(state, event.galleryId, { studyId: event.studyId, planId: event.planId });
    case 'failed':
      return withShow(state, event.galleryId, { phase: 'failed', error: event.message });
    case 'study':
      return known(state, event.galleryId, event.overview);
    case 'second':
      return second(story, state, event.overview);
  }
}

function goTo(story: Story, state: StoryState, step: number): StoryState {
  const galleryId = story.steps[step]!.galleryId;
  const show = showOf(state, galleryId);
  // A step that failed is tried again when one comes back to it.
  return {
    ...(show.phase === 'failed' && step !== state.step
      ? withShow(state, galleryId, { phase: 'unknown', error: null })
      : state),
    step,
  };
}

/**
 * The first look at a study decides: results that are there are played, otherwise it is started and
 * followed.
 */
function known(state: StoryState, galleryId: string, overview: StudyOverview): StoryState {
  const show = showOf(state, galleryId);
  const running = overview.state === 'running' || overview.state === 'pausing';
  if (show.phase === 'installing')
    return withShow(state, galleryId, { phase: running ? 'live' : 'stored', revealed: 0 });
  if (show.phase === 'starting' && (running || overview.state === 'done'))
    return withShow(state, galleryId, { phase: 'live' });
  return state;
}

function second(story: Story, state: StoryState, overview: StudyOverview | null): StoryState {
  const step = story.steps[state.step]!;
  const show = showOf(state, step.galleryId);
  if (overview === null || state.paused) return state;
  if (show.phase === 'stored') {
    const due = donePoints(overview).filter((p) => within(overview, step, p.values)).length;
    if (show.revealed < due)
      return withShow(state, step.galleryId, { revealed: show.revealed + 1 });
  }
  return reached(overview, step, show) && state.step < story.steps.length - 1
    ? { ...state, step: state.step + 1 }
    : state;
}

/** What must be done now for the step on screen; null = nothing. */
export function effectOf(
  story: Story,
  state: StoryState,
  overview: StudyOverview | null,
): StoryEffect | null {
  const { galleryId, runs } = story.steps[state.step]!;
  const show = showOf(state, galleryId);
  if (!runs) return null;
  if (show.phase === 'unknown') return { do: 'install', galleryId };
  // All that was stored has been shown and more is to come: the study goes on.
  if (
    show.phase === 'stored' &&
    overview !== null &&
    show.studyId !== null &&
    show.revealed >= donePoints(overview).length &&
    unfinished(overview)
  )
    return { do: 'start', galleryId, studyId: show.studyId };
  return null;
}
const unfinished = (overview: StudyOverview): boolean =>
  overview.state === 'draft' || overview.state === 'paused' || overview.state === 'failed';

/**
 * Whether values of a point, or of a published figure, lie within what a step may show. Values of
 * the first axis that are no numbers always do.
 */
function within(overview: StudyOverview, step: StoryStep, values: StudyPoint['values']): boolean {
  if (step.view.kind !== 'curve') return true;
  const { upTo, only } = step.view;
  const [first, second] = overview.spec.axes;
  const value = values[first!.name];
  const far = upTo !== undefined && typeof value === 'number' && value > upTo;
  const other =
    only !== undefined &&
    second !== undefined &&
    values[second.name] !== undefined &&
    String(values[second.name]) !== only;
  return !far && !other;
}

/** Points on screen: done, within the step, and revealed where they were stored. */
export function visiblePoints(
  overview: StudyOverview,
  step: StoryStep,
  show: StudyShow,
): StudyPoint[] {
  const due = donePoints(overview).filter((p) => within(overview, step, p.values));
  return show.phase === 'stored'
    ? due.slice(0, show.revealed)
    : show.phase === 'live' || show.phase === 'starting'
      ? due
      : [];
}

/** Whether a step's own end has come. */
export function reached(overview: StudyOverview, step: StoryStep, show: StudyShow): boolean {
  if (step.end.on === 'key') return false;
  const shown = visiblePoints(overview, step, show);
  if (step.end.on === 'done')
    return (
      overview.state === 'done' &&
      shown.length === donePoints(overview).filter((p) => within(overview, step, p.values)).length
    );
  const { atLeast } = step.end;
  return shown.some((p) => {
    const value = p.values[overview.spec.axes[0]!.name];
    return typeof value === 'number' && value >= atLeast;
  });
}

/**
 * The study as a step shows it: points beyond it are not run yet, published figures beyond it and
 * what was found in all points are left out.
 */
export function studyAsShown(
  overview: StudyOverview,
  step: StoryStep,
  show: StudyShow,
): StudyOverview {
  const keys = new Set(visiblePoints(overview, step, show).map((p) => p.key));
  const knees =
    step.view.kind === 'curve' &&
    step.view.knees === true &&
    keys.size === donePoints(overview).length;
  return {
    ...overview,
    points: overview.points.map((p) =>
      keys.has(p.key)
        ? p
        : { ...p, state: p.key === overview.activeKey ? 'running' : 'pending', measures: {} },
    ),
    published: overview.published.filter((p) => within(overview, step, p.values)),
    ...(knees ? {} : { knees: [], limit: null }),
  };
}
