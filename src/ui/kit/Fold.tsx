import { Paper } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';

import styles from './fold.module.css';

/** A part of the page that is made when it is unfolded. `said`: what it comes to, in a few words. */
export function Fold({
  title,
  said,
  children,
}: {
  title: string;
  said?: string | undefined;
  children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const Turn = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Paper component="section" aria-label={title}>
      <h2 className={styles.head}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Turn size={16} aria-hidden />
          {title}
          {said !== undefined && <span className={styles.said}>{said}</span>}
        </button>
      </h2>
      <div id={id} className={styles.content} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </Paper>
  );
}
