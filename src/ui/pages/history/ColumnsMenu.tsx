import { ActionIcon, Button, Checkbox, Group, Popover, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns } from '@tabler/icons-react';

import type { LeftOut } from './fitColumns.ts';
import { columnsOf, firstColumns, historyColumns, moveColumn } from './historyColumns.tsx';

interface Props {
  columns: readonly string[];
  leftOut: LeftOut;
  onColumns: (ids: string[]) => void;
  onFirstWidths: () => void;
}

const whyLeftOut = (why: LeftOut[string] | undefined): string | undefined =>
  why === undefined ? undefined : why === 'empty' ? 'Empty in every row' : 'No room now';

/** Which columns there are and in which order. The name cannot be hidden. */
export function ColumnsMenu({ columns, leftOut, onColumns, onFirstWidths }: Props) {
  const shown = columnsOf(columns);
  const ids = shown.map((c) => c.id);
  return (
    <Popover
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconColumns size={14} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" mah="70dvh" style={{ overflow: 'auto' }}>
        <Stack gap={4}>
          {shown.map((column, at) => (
            <Group key={column.id} gap={4} wrap="nowrap" justify="space-between">
              <Checkbox
                size="xs"
                label={column.label}
                description={whyLeftOut(leftOut[column.id])}
                checked
                disabled={column.id === 'name'}
                onChange={() => onColumns(ids.filter((id) => id !== column.id))}
              />
              <Group gap={2} wrap="nowrap">
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={`${column.label} further left`}
                  disabled={at === 0}
                  onClick={() => onColumns(moveColumn(ids, column.id, at - 1))}
                >
                  <IconArrowUp size={13} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={`${column.label} further right`}
                  disabled={at === shown.length - 1}
                  onClick={() => onColumns(moveColumn(ids, column.id, at + 1))}
                >
                  <IconArrowDown size={13} aria-hidden />
                </ActionIcon>
              </Group>
            </Group>
          ))}
          {historyColumns
            .filter((c) => !ids.includes(c.id))
            .map((column) => (
              <Checkbox
                key={column.id}
                size="xs"
                label={column.label}
                checked={false}
                onChange={() => onColumns([...ids, column.id])}
              />
            ))}
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => {
              onColumns(firstColumns);
              onFirstWidths();
            }}
          >
            As at first
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
