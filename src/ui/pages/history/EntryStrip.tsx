import { ActionIcon, Badge, Button, Group, Paper, Popover, Stack, Text } from '@mantine/core';
import { IconFolder, IconNotes, IconStar, IconStarFilled, IconTags } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';

import type { HistoryEntry, HistoryItem } from '../../../core/history/history.ts';
import { dim } from '../../kit/tones.ts';
import { FolderDialog } from './EntryDialogs.tsx';
import { folderPaths, folderTree } from './folders.ts';
import { useHistoryEntries, useHistoryEntry } from './historyData.ts';
import { notePlain } from './notes/markdownModel.ts';
import { NotesEditor } from './notes/NotesEditor.tsx';
import { TagEditor } from './TagEditor.tsx';
import { tagsInUse } from './tagsInUse.ts';
import { type HistoryActions, useHistoryActions } from './useHistoryActions.tsx';

/** What people put beside a run or study, on its own page: star, folder, tags, notes. */
export function EntryStrip({ kind, id }: HistoryItem) {
  const entry = useHistoryEntry({ kind, id });
  const { entries = [] } = useHistoryEntries(false);
  const actions = useHistoryActions();
  const [moving, setMoving] = useState(false);
  const [open, setOpen] = useState(false);
  const [editing, setEditing] = useState(false);
  if (entry === undefined) return null;
  const Star = entry.favourite ? IconStarFilled : IconStar;
  const write = (): void => {
    setOpen(true);
    setEditing(true);
  };
  return (
    <Stack gap={6} component="section" aria-label="Tags and notes">
      <Group gap={8}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-pressed={entry.favourite}
          aria-label="Favourite"
          onClick={() => void actions.favourite([entry])}
        >
          <Star size={16} color={entry.favourite ? 'var(--tb-star)' : undefined} aria-hidden />
        </ActionIcon>
        <Tags entry={entry} known={tagsInUse(entries)} actions={actions} />
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconFolder size={13} aria-hidden />}
          onClick={() => setMoving(true)}
        >
          {entry.folder ?? 'No folder'}
        </Button>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconNotes size={13} aria-hidden />}
          aria-expanded={open}
          onClick={() => (entry.noteHead === null && !open ? write() : setOpen(!open))}
        >
          {entry.noteHead === null ? 'Write notes' : open ? 'Hide notes' : 'Notes'}
        </Button>
        {entry.noteHead !== null && !open && (
          <Text size="sm" c={dim} truncate maw={420}>
            {notePlain(entry.noteHead)}
          </Text>
        )}
        <KeptMarks entry={entry} />
      </Group>
      {open && (
        <Paper p="sm">
          <NotesEditor
            item={{ kind, id }}
            editing={editing}
            onEditing={(next) => {
              setEditing(next);
              if (!next && entry.noteHead === null) setOpen(false);
            }}
          />
        </Paper>
      )}
      {moving && (
        <FolderDialog
          entries={[entry]}
          folders={folderPaths(folderTree(entries))}
          onMove={(folder) => void actions.move([entry], folder)}
          onClose={() => setMoving(false)}
        />
      )}
    </Stack>
  );
}

/** Its tags, each a link to what else has it, and the editor of them. */
function Tags({
  entry,
  known,
  actions,
}: {
  entry: HistoryEntry;
  known: readonly string[];
  actions: HistoryActions;
}) {
  const [tagging, setTagging] = useState(false);
  return (
    <>
      {entry.tags.map((tag) => (
        <Badge
          key={tag}
          component={Link}
          to={`/runs?tag=${encodeURIComponent(tag)}`}
          variant="default"
          tt="none"
          fw={400}
          title={`Show what is tagged ${tag}`}
          style={{ cursor: 'pointer' }}
        >
          {tag}
        </Badge>
      ))}
      <Popover
        opened={tagging}
        onChange={setTagging}
        position="bottom-start"
        width={320}
        shadow="md"
        trapFocus
        returnFocus
        transitionProps={{ duration: 0 }}
      >
        <Popover.Target>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconTags size={13} aria-hidden />}
            aria-expanded={tagging}
            onClick={() => setTagging(!tagging)}
          >
            {entry.tags.length === 0 ? 'Add tags' : 'Edit tags'}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Tags">
          <TagEditor entries={[entry]} known={known} actions={actions} focused />
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

/** Whether it lies in the archive, and whether its samples are all there. */
function KeptMarks({ entry }: { entry: HistoryEntry }) {
  return (
    <>
      {entry.archivedAtMs !== null && (
        <Badge variant="light" color="gray" tt="none" c="var(--mantine-color-text)">
          Archived
        </Badge>
      )}
      {entry.thinnedAtMs !== null && (
        <Badge
          variant="light"
          color="orange"
          tt="none"
          c="var(--mantine-color-text)"
          title="The retention rule thinned its samples to one in 20 s; scores were kept."
        >
          Samples thinned
        </Badge>
      )}
    </>
  );
}
