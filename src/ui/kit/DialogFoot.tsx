import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

import classes from './dialogFoot.module.css';

/** The buttons of a dialog: in sight however long its content is. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" className={classes.foot}>
      {children}
    </Group>
  );
}
