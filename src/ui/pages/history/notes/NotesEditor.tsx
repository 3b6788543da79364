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
  if (!editing)
    return (
      <NotesRead
        markdown={notes.markdown}
        changedAtMs={notes.changedAtMs}
        unsaved={draft !== undefined && draft !== notes.markdown}
        onEdit={() => onEditing(true)}
      />
    );
  return (
    <Stack gap={8}>
      <NotesTabs
        text={text}
        onText={(typed) => dispatch(drafted({ form, values: typed }))}
        onSave={() => void save()}
        onLeave={() => onEditing(false)}
      />
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

/** The notes as they are stored. */
function NotesRead({
  markdown,
  changedAtMs,
  unsaved,
  onEdit,
}: {
  markdown: string;
  changedAtMs: number | null;
  unsaved: boolean;
  onEdit: () => void;
}) {
  const blank = markdown.trim() === '';
  return (
    <Stack gap={6} align="flex-start">
      <NotesText text={markdown} none="No notes." />
      <Group gap={10}>
        <Button size="compact-xs" variant="default" onClick={onEdit}>
          {blank ? 'Write notes' : 'Edit notes'}
        </Button>
        {unsaved && <Text size="xs">Changes typed and not saved</Text>}
        {changedAtMs !== null && markdown !== '' && (
          <Text size="xs" c={dim}>{`Changed ${formatDateTime(changedAtMs)}`}</Text>
        )}
      </Group>
    </Stack>
  );
}

function NotesText({ text, none }: { text: string; none: string }) {
  if (text.trim() !== '') return <Markdown text={text} />;
  return (
    <Text size="sm" c={dim}>
      {none}
    </Text>
  );
}

/** The field and what becomes of it. Ctrl+Enter saves, Escape leaves what was typed as a draft. */
function NotesTabs({
  text,
  onText,
  onSave,
  onLeave,
}: {
  text: string;
  onText: (text: string) => void;
  onSave: () => void;
  onLeave: () => void;
}) {
  return (
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
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              event.stopPropagation();
              onSave();
            }
            if (event.key === 'Escape') {
              event.stopPropagation();
              onLeave();
            }
          }}
        />
      </Tabs.Panel>
      <Tabs.Panel value="preview" pt={8} mih={110}>
        <NotesText text={text} none="Nothing written." />
      </Tabs.Panel>
    </Tabs>
  );
}

/** Into the field, behind what is there. */
function focusOnce(node: HTMLTextAreaElement | null): void {
  if (node === null || node.dataset['focused'] !== undefined) return;
  node.dataset['focused'] = '1';
  node.focus();
  node.setSelectionRange(node.value.length, node.value.length);
}
