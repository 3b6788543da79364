import classes from './stateMark.module.css';

/** What a state means to who looks for trouble. */
export type StateTone = 'idle' | 'run' | 'ok' | 'warn' | 'bad' | 'lost';

/** A state: a dot and its word. Only what is bad is filled, so that it stands out of a table. */
export const StateMark = ({
  tone,
  word,
  title,
  large = false,
}: {
  tone: StateTone;
  word: string;
  title?: string | undefined;
  /** At the head of a page. */
  large?: boolean;
}): React.ReactNode => (
  <span className={classes.state} data-tone={tone} data-large={large || undefined} title={title}>
    {word}
  </span>
);
