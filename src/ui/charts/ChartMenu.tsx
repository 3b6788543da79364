import { Menu, UnstyledButton } from '@mantine/core';
import styles from './charts.module.css';

export interface ChartAction { id: string; label: string; run: () => void }

/** What can be done with a chart, in words. */
export function ChartMenu({ title, actions }: { title: string; actions: readonly ChartAction[] }) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} withinPortal>
      <Menu.Target>
        <UnstyledButton className={styles.menuButton} aria-label={`Actions for ${title}`}>Actions</UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((a) => <Menu.Item key={a.id} onClick={a.run}>{a.label}</Menu.Item>)}
      </Menu.Dropdown>
    </Menu>
  );
}
