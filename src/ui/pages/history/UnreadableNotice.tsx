import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileBroken } from '@tabler/icons-react';

import { counted } from '../../../core/base/counted.ts';
import { toAppError } from '../../../core/base/errors.ts';
import type { HistoryItem } from '../../../core/history/history.ts';
import { useClient, useDesktop } from '../../engine/services.ts';
import { kindWords } from './entryWords.ts';
import { keyOf, useHistoryUnreadableQuery } from './historyData.ts';
import { useHistoryActions } from './useHistoryActions.tsx';

/** Entries told one by one; a list of hundreds says no more. */
const shownAtMost = 5;
/** More than these are folded: the history itself is what one came for. */
const unfoldedAtMost = 2;

/**
 * Names what is on no list because it cannot be read: where it lies, why, and what can be done with
 * it.
 */
export function UnreadableNotice() {
  const { data } = useHistoryUnreadableQuery({});
  const client = useClient();
  const desktop = useDesktop();
  const actions = useHistoryActions();
  if (data === undefined || data.items.length === 0) return null;
  const { file, items } = data;
  const save = async ({ kind, id }: HistoryItem): Promise<void> => {
    try {
      const name = await desktop.saveFile(
        `${kind}-${id.replace(/[^A-Za-z0-9._-]+/g, '-')}.raw.json`,
        (async function* text() {
          yield (await client.call('history.raw', { kind, id })).text;
        })(),
      );
      if (name !== null) notifications.show({ color: 'green', message: `Wrote ${name}.` });
    } catch (thrown) {
      notifications.show({ color: 'red', message: toAppError(thrown).message });
    }
  };
  const list = (
    <>
      {items.slice(0, shownAtMost).map((item) => (
        <Group key={keyOf(item)} gap="sm" justify="space-between" wrap="nowrap">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {`${kindWords[item.kind]} `}
            <Code>{item.id}</Code>
            {`${item.deletedAtMs === null ? '' : ' (in Deleted)'}: ${item.issue}`}
          </Text>
          <Group gap={6} wrap="nowrap">
            <Button size="compact-xs" variant="default" onClick={() => void save(item)}>
              Export as stored
            </Button>
            {item.deletedAtMs === null && (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => void actions.remove([item])}
              >
                Delete
              </Button>
            )}
          </Group>
        </Group>
      ))}
      {items.length > shownAtMost && (
        <Text size="sm">
          {`and ${items.length - shownAtMost} more: `}
          <Code>npx tilebench runs list</Code> names them all.
        </Text>
      )}
    </>
  );
  return (
    <Alert
      color="orange"
      icon={<IconFileBroken aria-hidden />}
      title={`${counted(items.length, 'stored record')} cannot be read`}
      role="status"
    >
      <Stack gap={6}>
        <Text size="sm">
          Left out of every list in <Code>{file}</Code>; all others are as they were.
        </Text>
        {items.length <= unfoldedAtMost ? (
          list
        ) : (
          <details>
            <summary style={{ cursor: 'pointer' }}>Which, and why</summary>
            <Stack gap={6} mt={6}>
              {list}
            </Stack>
          </details>
        )}
      </Stack>
    </Alert>
  );
}
