import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

import { detachedNotesPath } from '../../../wire/detached.ts';
import { useDetach } from '../../kit/useDetach.tsx';
import { useFullScreen } from './fullScreen.ts';
import styles from './presenter.module.css';
import { keyHelp, type PresenterAction, presenterAction } from './presenterKeys.ts';
import { type Spoken, useTellNotes } from './speakerNotes.ts';

export interface PresenterFrameProps {
  title: string;
  /**
   * SIMULATED, REPLAY, or both; always in sight, also over a blank screen. null = real machines,
   * now.
   */
  mark: string | null;
  /** `3 of 11`. */
  place: string;
  /** State of time: `600×`, `Paused`; null = time cannot be changed. */
  pace: string | null;
  /** Every action but blank, help and full screen, which the frame does itself. */
  onAction: (action: PresenterAction) => void;
  /** What the speaker's own screen shows beside the title and the place; null = nothing is on. */
  spoken?: Pick<Spoken, 'headline' | 'notes' | 'next'> | null;
  footer?: ReactNode;
  children: ReactNode;
}

const untold = { headline: '', notes: '', next: null };

/** The whole screen, dark, for a room: title, marks, content; everything by keys. */
export function PresenterFrame({
  title,
  mark,
  place,
  pace,
  onAction,
  spoken = untold,
  footer,
  children,
}: PresenterFrameProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [blank, setBlank] = useState(false);
  const [help, setHelp] = useState(false);
  const full = useFullScreen(() => {
    onAction('leave');
  });
  const detach = useDetach();
  useTellNotes(spoken === null ? null : { title, place, ...spoken }, onAction);
  useDark();
  useEffect(() => {
    stage.current?.focus();
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const action = presenterAction(event);
      // A link in the choice of what to present keeps its Enter, a button its Space too.
      const pressed = event.target instanceof Element ? event.target.closest('a, button') : null;
      if (
        action === null ||
        (pressed !== null &&
          (event.key === 'Enter' || (event.key === ' ' && pressed.tagName === 'BUTTON')))
      )
        return;
      // A panel keeps its keys but the one that leaves it.
      if (
        action !== 'leave' &&
        event.target instanceof Element &&
        event.target.closest('[data-panel]') !== null
      )
        return;
      event.preventDefault();
      if (action === 'blank') setBlank((on) => !on);
      else if (action === 'help') setHelp((on) => !on);
      else if (action === 'fullScreen') full.toggle();
      else if (action === 'notes') detach(detachedNotesPath);
      else if (action === 'leave' && help) setHelp(false);
      else {
        setBlank(false);
        onAction(action);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [onAction, full, help, detach]);
  return (
    <div
      ref={stage}
      className={styles.stage}
      data-presenter
      data-full={full.on || undefined}
      tabIndex={-1}
    >
      <header className={styles.head}>
        <h1 className={styles.title}>{title}</h1>
        {pace !== null && (
          <span className={styles.aside} role="status" aria-label="Pace">
            {pace}
          </span>
        )}
        <span className={styles.aside}>{place}</span>
        {mark !== null && <strong className={styles.mark}>{mark}</strong>}
      </header>
      <main className={styles.body}>
        {place !== '' && <VisuallyHidden component="h2">{place}</VisuallyHidden>}
        {children}
      </main>
      <footer className={styles.foot}>
        {footer}
        <span>
          {full.possible && !full.on ? 'F full screen, ? keys, Esc leave' : '? keys, Esc leave'}
        </span>
      </footer>
      {blank && (
        <div
          className={styles.blank}
          role="status"
          aria-label="Screen is blank. B brings it back."
        />
      )}
      {help && <Help />}
    </div>
  );
}

function Help() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);
  return (
    <div className={styles.help}>
      <div
        ref={box}
        className={styles.helpBox}
        role="dialog"
        aria-modal="true"
        aria-label="Keys"
        tabIndex={-1}
      >
        <h2>Keys</h2>
        <dl>
          {keyHelp.map(([keys, does]) => [<dt key={keys}>{keys}</dt>, <dd key={does}>{does}</dd>])}
        </dl>
      </div>
    </div>
  );
}

const scheme = 'data-mantine-color-scheme';

/**
 * The page's colours are dark while this is on screen, whatever is chosen meanwhile, and afterwards
 * as they were chosen last.
 */
function useDark(): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    let chosen = root.getAttribute(scheme);
    root.setAttribute(scheme, 'dark');
    // The application sets the user's choice when it starts, after what lies in it.
    const watch = new MutationObserver(() => {
      const now = root.getAttribute(scheme);
      if (now === 'dark') return;
      chosen = now;
      root.setAttribute(scheme, 'dark');
    });
    watch.observe(root, { attributes: true, attributeFilter: [scheme] });
    return () => {
      watch.disconnect();
      if (chosen !== null) root.setAttribute(scheme, chosen);
    };
  }, []);
}
