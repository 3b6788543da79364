import { Button, Group, List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';

import {
  cleanFolder,
  type HistoryEntry,
  type HistoryItem,
  type HistoryOutcome,
} from '../../../core/history/history.ts';
import type { Input } from '../../../wire/contract.ts';
import { countedKinds } from './entryWords.ts';
import {
  itemOf,
  useHistoryAnnotateMutation,
  useHistoryArchiveMutation,
  useHistoryDeleteMutation,
  useHistoryPurgeMutation,
  useHistoryRestoreMutation,
} from './historyData.ts';
import { pushUndo, undo } from './undo.ts';

type Patch = Input<'history.annotate'>['patch'];
const undoMs = 12_000;
/** What can be done with the selection stands at the lower right. */
const position = 'bottom-left';
let notices = 0;

/** Says what was done, with the way back beside it. */
function tell(text: string, back: () => Promise<void>): void {
  notices += 1;
  const id = `history-${notices}`;
  pushUndo(id, back);
  notifications.show({
    id,
    position,
    autoClose: undoMs,
    message: (
      <Group gap="sm" justify="space-between" wrap="nowrap">
        <Text size="sm">{text}</Text>
        <Button size="compact-xs" variant="default" onClick={() => void undo(id)}>
          Undo
        </Button>
      </Group>
    ),
  });
}
/** Names what was refused, each with its reason. */
function tellRefused(word: string, { refused }: HistoryOutcome): void {
  if (refused.length === 0) return;
  const shown = refused.slice(0, 4);
  notifications.show({
    color: 'orange',
    position,
    autoClose: 15_000,
    title: `${countedKinds(refused)} not ${word}`,
    message: (
      <List size="sm">
        {shown.map((one) => (
          <List.Item key={`${one.kind} ${one.id}`}>{`${one.name}: ${one.reason}`}</List.Item>
        ))}
        {refused.length > shown.length && (
          <List.Item>{`and ${refused.length - shown.length} more`}</List.Item>
        )}
      </List>
    ),
  });
}

export interface HistoryActions {
  annotate: (items: readonly HistoryItem[], patch: Patch) => Promise<boolean>;
  favourite: (entries: readonly HistoryEntry[]) => Promise<void>;
  move: (entries: readonly HistoryEntry[], folder: string | null) => Promise<void>;
  archive: (entries: readonly HistoryEntry[], archived: boolean) => Promise<void>;
  remove: (entries: readonly HistoryItem[]) => Promise<void>;
  restore: (entries: readonly HistoryEntry[]) => Promise<void>;
  /** For ever. What could not be removed comes back, with its reason. */
  purge: (entries: readonly HistoryItem[]) => Promise<HistoryOutcome>;
}

/**
 * What can be done to entries of the history. Refused calls are told by the store, refused entries
 * here.
 */
export function useHistoryActions(): HistoryActions {
  const [annotate] = useHistoryAnnotateMutation();
  const [archive] = useHistoryArchiveMutation();
  const [remove] = useHistoryDeleteMutation();
  const [restore] = useHistoryRestoreMutation();
  const [purge] = useHistoryPurgeMutation();
  return useMemo(() => {
    const change = async (
      items: readonly HistoryItem[],
      patch: Patch,
    ): Promise<HistoryOutcome | null> => {
      if (items.length === 0) return null;
      const { data } = await annotate({ items: items.map(itemOf), patch });
      if (data === undefined) return null;
      tellRefused('changed', data);
      return data;
    };
    return {
      annotate: async (items, patch) => (await change(items, patch)) !== null,
      async favourite(entries) {
        // One that is none makes all of them favourites; otherwise none stays one.
        const on = entries.some((one) => !one.favourite);
        await change(
          entries.filter((one) => one.favourite !== on),
          { favourite: on },
        );
      },
      async move(entries, folder) {
        const to = folder === null ? null : cleanFolder(folder);
        const moved = entries.filter((one) => one.folder !== to);
        const outcome = await change(moved, { folder: to });
        if (outcome === null || outcome.done.length === 0) return;
        tell(
          to === null
            ? `${countedKinds(outcome.done)} taken out of folders`
            : `${countedKinds(outcome.done)} moved to ${to}`,
          async () => {
            for (const from of new Set(moved.map((one) => one.folder)))
              await change(
                moved.filter((one) => one.folder === from),
                { folder: from },
              );
          },
        );
      },
      async archive(entries, archived) {
        const items = entries.filter((one) => (one.archivedAtMs !== null) !== archived).map(itemOf);
        if (items.length === 0) return;
        const { data } = await archive({ items, archived });
        if (data === undefined) return;
        tellRefused(archived ? 'archived' : 'brought back', data);
        if (data.done.length > 0)
          tell(
            `${countedKinds(data.done)} ${archived ? 'archived' : 'brought back from the archive'}`,
            async () => {
              await archive({ items: data.done, archived: !archived });
            },
          );
      },
      async remove(entries) {
        if (entries.length === 0) return;
        const { data } = await remove({ items: entries.map(itemOf) });
        if (data === undefined) return;
        tellRefused('moved to Deleted', data);
        if (data.done.length > 0)
          tell(`${countedKinds(data.done)} moved to Deleted`, async () => {
            await restore({ items: data.done });
          });
      },
      async restore(entries) {
        if (entries.length === 0) return;
        const { data } = await restore({ items: entries.map(itemOf) });
        if (data === undefined) return;
        tellRefused('restored', data);
        if (data.done.length > 0)
          tell(`${countedKinds(data.done)} restored`, async () => {
            await remove({ items: data.done });
          });
      },
      purge: (entries) => purge({ items: entries.map(itemOf) }).unwrap(),
    };
  }, [annotate, archive, remove, restore, purge]);
}
