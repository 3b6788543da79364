import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import styles from './presenter.module.css';
import { PresenterFrame } from './PresenterFrame.tsx';
import type { PresenterAction } from './presenterKeys.ts';

/** While there is nothing to present yet, or what went wrong and what to do; keys work here too. */
export function PresenterNotice({
  title,
  error,
  leaveTo,
}: {
  title: string;
  error: AppErrorShape | null;
  leaveTo: string;
}) {
  const navigate = useNavigate();
  const onAction = useCallback(
    (action: PresenterAction) => {
      if (action === 'leave') void navigate(leaveTo);
    },
    [navigate, leaveTo],
  );
  return (
    <PresenterFrame title={title} mark={null} pace={null} place="" onAction={onAction}>
      {error === null ? (
        <p className={styles.note} role="status">
          Reading
        </p>
      ) : (
        <Trouble message={error.message} hint={error.hint} />
      )}
    </PresenterFrame>
  );
}

export function Trouble({ message, hint }: { message: string; hint?: string | undefined }) {
  return (
    <p className={styles.trouble} role="alert">
      {message}
      {hint === undefined ? '' : ` ${hint}`}
    </p>
  );
}
