import { useCallback } from 'react';
import { Link, useNavigate } from 'react-router';

import { isEnd } from '../../../core/run/run.ts';
import {
  presentReplayPath,
  presentRunPath,
  presentStudyPath,
  storyPath,
} from '../../addresses/presentTarget.ts';
import { useRunListQuery, useStudyListQuery } from '../../engine/api.ts';
import { useSimulated, useWorkspace } from '../../engine/services.ts';
import { markOf } from '../../kit/mark.ts';
import { stateWords } from '../../kit/runWords.ts';
import { studyStateWords } from '../../kit/studyWords.ts';
import styles from './presenter.module.css';
import { PresenterFrame } from './PresenterFrame.tsx';
import type { PresenterAction } from './presenterKeys.ts';
import { stories } from './stories.ts';

/** How many runs are offered: the newest. */
const offered = 6;

/**
 * What can be presented: stories, the active run, studies, the last runs. Arrows and Enter choose.
 */
export function PresentIndex() {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const simulated = useSimulated();
  const { data: runs = [] } = useRunListQuery({});
  const { data: studies = [] } = useStudyListQuery({});
  const onAction = useCallback(
    (action: PresenterAction) => {
      if (action === 'leave') {
        void navigate('/');
        return;
      }
      if (action !== 'next' && action !== 'previous' && action !== 'first' && action !== 'last')
        return;
      const links = [...document.querySelectorAll<HTMLElement>('[data-presenter] nav a')];
      const at = links.findIndex((link) => link === document.activeElement);
      const to =
        action === 'first'
          ? 0
          : action === 'last'
            ? links.length - 1
            : Math.min(links.length - 1, Math.max(0, at + (action === 'next' ? 1 : -1)));
      links[to]?.focus();
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
      onAction={onAction}
    >
      <nav className={styles.choice} aria-label="What to present">
        <h2>Stories</h2>
        <ul>
          {stories.map((s) => (
            <li key={s.id}>
              <Link
                to={storyPath(s.id)}
                onClick={(event) => {
                  if (!simulated) {
                    event.preventDefault();
                    workspace.open('simulated', storyPath(s.id));
                  }
                }}
              >
                {s.title}
                <small>{`${s.about}${simulated ? '' : ' Opens the demo lab.'}`}</small>
              </Link>
            </li>
          ))}
        </ul>
        {active.length > 0 && (
          <>
            <h2>Active run</h2>
            <ul>
              {active.map((r) => (
                <li key={r.id}>
                  <Link to={presentRunPath(r.id)}>
                    {r.name}
                    <small>{stateWords[r.state]}</small>
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
        {studies.length > 0 && (
          <>
            <h2>Studies</h2>
            <ul>
              {studies.map((s) => (
                <li key={s.id}>
                  <Link to={presentStudyPath(s.id)}>
                    {s.name}
                    <small>{`${studyStateWords[s.state]}, ${s.done} of ${s.total} points`}</small>
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
        {ended.length > 0 && (
          <>
            <h2>Last runs, played again</h2>
            <ul>
              {ended.map((r) => (
                <li key={r.id}>
                  <Link to={presentReplayPath(r.id)}>
                    {r.name}
                    <small>{`${stateWords[r.state]}, ${r.tiles} ${r.tiles === 1 ? 'tile' : 'tiles'}`}</small>
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </nav>
    </PresenterFrame>
  );
}
