import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

import classes from './dialogFoot.module.css';

/** The buttons of a dialog: in sight however long its content is. */
export function DialogFoot({
  apart = false,
  children,
}: {
  /** First and last at the two sides. */
  apart?: boolean;
  children: ReactNode;
}) {
  return (
    <Group justify={apart ? 'space-between' : 'flex-end'} className={classes.foot}>
      {children}
    </Group>
  );
}
