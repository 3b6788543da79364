import { Button, Group, Stack, Tabs, Text, Textarea } from '@mantine/core';
import { useState } from 'react';

import { type HistoryItem, historyLimits } from '../../../../core/history/history.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../../engine/store.ts';
import { formatDateTime } from '../../../kit/formatDateTime.ts';
import { Failure, Pending } from '../../../kit/LoadState.tsx';
import { dim } from '../../../kit/tones.ts';
import { useHistoryNotes } from '../historyData.ts';
import { useHistoryActions } from '../useHistoryActions.tsx';
import { Markdown } from './Markdown.tsx';

interface Props {
  item: HistoryItem;
  /** Opens the field at once. */ editing: boolean;
  onEditing: (editing: boolean) => void;
}

/**
 * Notes of a run or study: read as Markdown, written with a preview. What is typed stays until it
 * is saved or dropped.
 */
export function NotesEditor({ item, editing, onEditing }: Props) {
  const form = `notes.${item.kind}.${item.id}`;
  const dispatch = useAppDispatch();
  const actions = useHistoryActions();
  const notes = useHistoryNotes(item);
  const draft = useAppSelector((state) => state.drafts[form]) as string | undefined;
  const [busy, setBusy] = useState(false);
  if (notes.markdown === undefined)
    return notes.error ? (
      <Failure title="The notes cannot be read" error={notes.error} onRetry={notes.retry} />
    ) : (
      <Pending label="notes" rows={2} />
    );
  const text = draft ?? notes.markdown;
  const drop = (): void => {
    dispatch(draftDropped(form));
    onEditing(false);
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    if (await actions.annotate([item], { notes: text })) drop();
    setBusy(false);
  };
  if (!editing) {
    return (
      <Stack gap={6} align="flex-start">
        {notes.markdown.trim() === '' ? (
          <Text size="sm" c={dim}>
            No notes.
          </Text>
        ) : (
          <Markdown text={notes.markdown} />
        )}
        <Group gap={10}>
          <Button size="compact-xs" variant="default" onClick={() => onEditing(true)}>
            {notes.markdown.trim() === '' ? 'Write notes' : 'Edit notes'}
          </Button>
          {draft !== undefined && draft !== notes.markdown && (
            <Text size="xs">Changes typed and not saved</Text>
          )}
          {notes.changedAtMs !== null && notes.markdown !== '' && (
            <Text size="xs" c={dim}>{`Changed ${formatDateTime(notes.changedAtMs)}`}</Text>
          )}
        </Group>
      </Stack>
    );
  }
  return (
    <Stack gap={8}>
      <Tabs defaultValue="write">
        <Tabs.List aria-label="Notes">
          <Tabs.Tab value="write">Write</Tabs.Tab>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="write" pt={8}>
          <Textarea
            aria-label="Notes in Markdown"
            autosize
            minRows={5}
            maxRows={18}
            maxLength={historyLimits.notesLength}
            data-autofocus
            ref={focusOnce}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
            value={text}
            onChange={(event) => dispatch(drafted({ form, values: event.currentTarget.value }))}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                event.stopPropagation();
                void save();
              }
              if (event.key === 'Escape') {
                event.stopPropagation();
                onEditing(false);
              }
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="preview" pt={8} mih={110}>
          {text.trim() === '' ? (
            <Text size="sm" c={dim}>
              Nothing written.
            </Text>
          ) : (
            <Markdown text={text} />
          )}
        </Tabs.Panel>
      </Tabs>
      <Group gap={8}>
        <Button
          size="xs"
          loading={busy}
          disabled={text === notes.markdown}
          onClick={() => void save()}
        >
          Save notes
        </Button>
        <Button size="xs" variant="default" onClick={drop}>
          {text === notes.markdown ? 'Close' : 'Drop changes'}
        </Button>
        <Text size="xs" c={dim}>
          Markdown: **bold**, lists, tables, links. Ctrl+Enter saves.
        </Text>
      </Group>
    </Stack>
  );
}

/** Into the field, behind what is there. */
function focusOnce(node: HTMLTextAreaElement | null): void {
  if (node === null || node.dataset['focused'] !== undefined) return;
  node.dataset['focused'] = '1';
  node.focus();
  node.setSelectionRange(node.value.length, node.value.length);
}
