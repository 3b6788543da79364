import { Menu, UnstyledButton } from '@mantine/core';
import { useState } from 'react';

import styles from './charts.module.css';

export interface ChartAction {
  id: string;
  label: string;
  run: () => void;
}

/**
 * What can be done with a chart, in words. The menu itself is made at the first click: a wall of
 * charts would mount dozens unused.
 */
export function ChartMenu({ title, actions }: { title: string; actions: readonly ChartAction[] }) {
  const [armed, setArmed] = useState(false);
  const label = `Actions for ${title}`;
  if (!armed)
    return (
      <button
        type="button"
        className={styles.menuButton}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={() => {
          setArmed(true);
        }}
      >
        Actions
      </button>
    );
  return (
    <Menu defaultOpened position="bottom-end" transitionProps={{ duration: 0 }} withinPortal>
      <Menu.Target>
        <UnstyledButton className={styles.menuButton} aria-label={label}>
          Actions
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((a) => (
          <Menu.Item key={a.id} onClick={a.run}>
            {a.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Stands in the head of a chart that shows a part of its axis. */
export function ResetZoom({ onReset }: { onReset: () => void }) {
  return (
    <button type="button" className={styles.menuButton} onClick={onReset}>
      Reset zoom
    </button>
  );
}
