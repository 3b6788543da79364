import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconClipboard } from '@tabler/icons-react';
import { useState } from 'react';

import styles from './table.module.css';
import { type CopiedTable, tableMarkdown, tableTsv } from './tableText.ts';

interface Props {
  label: string;
  /** The table as data, all rows of it, asked for when it is copied. */ read: () => CopiedTable;
}

/**
 * Copies a table: for a spreadsheet, or as Markdown. The menu itself is made at the first press: a
 * page of tables would mount dozens unused.
 */
export function CopyTable({ label, read }: Props) {
  const [armed, setArmed] = useState(false);
  const name = `Copy table ${label}`.trim();
  if (!armed)
    return (
      <ActionIcon
        className={styles.button}
        size={22}
        variant="default"
        aria-label={name}
        title="Copy table"
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={() => setArmed(true)}
      >
        <IconClipboard size={13} aria-hidden />
      </ActionIcon>
    );
  return (
    <Menu defaultOpened position="bottom-end" transitionProps={{ duration: 0 }} withinPortal>
      <Menu.Target>
        <ActionIcon
          className={styles.button}
          size={22}
          variant="default"
          aria-label={name}
          title="Copy table"
        >
          <IconClipboard size={13} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copyTable(read(), 'tsv')}>Copy for a spreadsheet</Menu.Item>
        <Menu.Item onClick={() => void copyTable(read(), 'markdown')}>Copy as Markdown</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * Puts a table on the clipboard and says so; a clipboard that is closed to the page is told as
 * well.
 */
async function copyTable(table: CopiedTable, form: 'tsv' | 'markdown'): Promise<void> {
  const rows = `${table.rows.length} ${table.rows.length === 1 ? 'row' : 'rows'}`;
  try {
    await navigator.clipboard.writeText(form === 'tsv' ? tableTsv(table) : tableMarkdown(table));
    notifications.show({
      message: `${table.title || 'Table'} copied: ${rows}${form === 'tsv' ? '' : ' as Markdown'}.`,
    });
  } catch (thrown) {
    notifications.show({
      color: 'red',
      message: `${table.title || 'Table'} not copied: ${String(thrown)}`,
    });
  }
}
