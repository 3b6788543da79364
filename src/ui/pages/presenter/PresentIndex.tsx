import { useCallback } from 'react';
import { Link, useNavigate } from 'react-router';

import { runStateWord } from '../../../core/run/runWords.ts';
import { isEnd } from '../../../core/run/states.ts';
import { studyStateWords } from '../../../core/study/stateWords.ts';
import {
  presentReplayPath,
  presentRunPath,
  presentStudyPath,
} from '../../addresses/presentTarget.ts';
import { useRunListQuery, useStudyListQuery } from '../../engine/api.ts';
import { useSimulated } from '../../engine/services.ts';
import { markOf } from '../../kit/mark.ts';
import { OwnStoryList } from './OwnStoryList.tsx';
import { PresenterFrame } from './PresenterFrame.tsx';
import type { PresenterAction } from './presenterKeys.ts';
import styles from './presentList.module.css';
import { StoryCards } from './StoryCards.tsx';

/** How many runs are offered: the newest. */
const offered = 6;

/**
 * What can be presented: stories, the active run, studies, the last runs. Arrows and Enter choose.
 */
export function PresentIndex() {
  const navigate = useNavigate();
  const simulated = useSimulated();
  const { data: runs = [] } = useRunListQuery({});
  const { data: studies = [] } = useStudyListQuery({});
  const onAction = useCallback(
    (action: PresenterAction) => {
      if (action === 'leave') void navigate('/');
      else focusChoice(action);
    },
    [navigate],
  );
  const started = runs
    .filter((r) => r.startedAtMs !== null)
    .sort((a, b) => b.startedAtMs! - a.startedAtMs!);
  const active = started.filter((r) => !isEnd(r.state));
  const ended = started.filter((r) => isEnd(r.state)).slice(0, offered);
  return (
    <PresenterFrame
      title="Presenter view"
      mark={simulated ? markOf('simulated') : null}
      pace={null}
      place=""
      spoken={null}
      onAction={onAction}
    >
      <nav className={styles.choice} aria-label="What to present">
        <h2>Stories</h2>
        <StoryCards />
        <h2>Own stories</h2>
        <OwnStoryList />
        <Choices
          title="Active run"
          choices={active.map((r) => ({
            to: presentRunPath(r.id),
            name: r.name,
            text: runStateWord(r.state, r.compliant),
          }))}
        />
        <Choices
          title="Studies"
          choices={studies.map((s) => ({
            to: presentStudyPath(s.id),
            name: s.name,
            text: `${studyStateWords[s.state]}, ${s.done} of ${s.total} points`,
          }))}
        />
        <Choices
          title="Last runs, played again"
          choices={ended.map((r) => ({
            to: presentReplayPath(r.id),
            name: r.name,
            text: `${runStateWord(r.state, r.compliant)}, ${r.tiles} ${r.tiles === 1 ? 'tile' : 'tiles'}`,
          }))}
        />
      </nav>
    </PresenterFrame>
  );
}

/** Goes from choice to choice, over all lists. */
function focusChoice(action: PresenterAction): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-presenter] nav a')];
  const last = links.length - 1;
  const at = links.findIndex((link) => link === document.activeElement);
  if (action === 'first') links[0]?.focus();
  else if (action === 'last') links[last]?.focus();
  else if (action === 'next') links[Math.min(last, at + 1)]?.focus();
  else if (action === 'previous') links[Math.max(0, at - 1)]?.focus();
}

interface Choice {
  to: string;
  name: string;
  text: string;
}

/** A list of what can be presented; nothing where there is none. */
function Choices({ title, choices }: { title: string; choices: readonly Choice[] }) {
  if (choices.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {choices.map(({ to, name, text }) => (
          <li key={to}>
            <Link to={to}>
              {name}
              <small>{text}</small>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
