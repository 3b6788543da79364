import { Autocomplete, Button, Group, List, Modal, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import { formatSi } from '../../../core/base/format.ts';
import {
  cleanFolder,
  folderFault,
  type HistoryEntry,
  type HistoryOutcome,
} from '../../../core/history/history.ts';
import { bad } from '../../kit/tones.ts';
import { countedKinds, formatBytes } from './entryWords.ts';
import { TagEditor } from './TagEditor.tsx';
import type { HistoryActions } from './useHistoryActions.tsx';

const look = {
  transitionProps: { duration: 0 },
  closeButtonProps: { 'aria-label': 'Close' },
} as const;
const listed = 12;

/** Tags of everything that is selected. */
export function TagDialog({
  entries,
  known,
  actions,
  onClose,
}: {
  entries: readonly HistoryEntry[];
  known: readonly string[];
  actions: HistoryActions;
  onClose: () => void;
}) {
  return (
    <Modal opened onClose={onClose} title={`Tags of ${countedKinds(entries)}`} {...look}>
      <TagEditor entries={entries} known={known} actions={actions} focused />
      <Group justify="flex-end" mt="md">
        <Button size="xs" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Modal>
  );
}

/** Where everything that is selected goes: a folder there is, or a new path. */
export function FolderDialog({
  entries,
  folders,
  onMove,
  onClose,
}: {
  entries: readonly HistoryEntry[];
  folders: readonly string[];
  onMove: (folder: string | null) => void;
  onClose: () => void;
}) {
  const common = entries.every((one) => one.folder === entries[0]?.folder)
    ? (entries[0]?.folder ?? '')
    : '';
  const [path, setPath] = useState(common);
  const fault = folderFault(path);
  const done = (): void => {
    if (fault === null) {
      onMove(cleanFolder(path));
      onClose();
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Folder of ${countedKinds(entries)}`} {...look}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          done();
        }}
      >
        <Autocomplete
          size="xs"
          data-autofocus
          label="Folder"
          description="A path such as Arrays/Firmware 5.2; one that is not there is made. Empty: in no folder."
          data={[...folders]}
          value={path}
          onChange={setPath}
          error={fault}
          limit={12}
          comboboxProps={{ transitionProps: { duration: 0 } }}
        />
        <Group gap={8} mt="md" justify="flex-end">
          <Button size="xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="xs" type="submit" disabled={fault !== null}>
            Move
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** A name for the filters, columns and order on show. */
export function ViewDialog({
  taken,
  onSave,
  onClose,
}: {
  taken: readonly string[];
  onSave: (name: string) => Promise<boolean>;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const replaces = taken.includes(name.trim());
  const save = async (): Promise<void> => {
    setBusy(true);
    if (await onSave(name.trim())) onClose();
    setBusy(false);
  };
  return (
    <Modal opened onClose={onClose} title="Save as view" {...look}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') void save();
        }}
      >
        <TextInput
          size="xs"
          data-autofocus
          label="Name"
          description="Filters, columns and order as they are now."
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {replaces && <Text size="xs" mt={6}>{`Replaces the view ${name.trim()}.`}</Text>}
        <Group gap={8} mt="md" justify="flex-end">
          <Button size="xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="xs" type="submit" loading={busy} disabled={name.trim() === ''}>
            {replaces ? 'Replace' : 'Save'}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** Asks once and says exactly what will be gone. */
export function PurgeDialog({
  entries,
  onPurge,
  onClose,
}: {
  entries: readonly HistoryEntry[];
  onPurge: (entries: readonly HistoryEntry[]) => Promise<HistoryOutcome>;
  onClose: () => void;
}) {
  const [problem, setProblem] = useState<ReactNode>(null);
  const [busy, setBusy] = useState(false);
  // What is asked about stays as asked, while the list behind shrinks.
  const [asked] = useState(entries);
  const runs = asked.filter((one) => one.kind === 'run');
  const samples = runs.reduce((sum, one) => sum + one.sampleCount, 0);
  const bytes = asked.reduce((sum, one) => sum + (one.storageBytes ?? 0), 0);
  const what = [
    runs.length > 0
      ? `${formatSi(samples)} samples, the score, findings, events, notes, logs and the ` +
        `recorded set-up of ${countedKinds(runs)}`
      : '',
    runs.length < asked.length
      ? `the points, curves and notes of ${countedKinds(asked.filter((one) => one.kind === 'study'))}`
      : '',
  ]
    .filter(Boolean)
    .join('; ');
  const remove = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const { refused } = await onPurge(asked);
      if (refused.length === 0) onClose();
      else
        setProblem(
          <List size="sm">
            {refused.map((one) => (
              <List.Item key={`${one.kind} ${one.id}`}>{`${one.name}: ${one.reason}`}</List.Item>
            ))}
          </List>,
        );
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      setProblem(`${message}${hint ? ` ${hint}` : ''}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Remove ${countedKinds(asked)} for good`} {...look}>
      <Text size="sm">{`Gone for good: ${what}.`}</Text>
      <List size="sm" my={6} aria-label="What goes">
        {asked.slice(0, listed).map((one) => (
          <List.Item key={`${one.kind} ${one.id}`}>{one.name}</List.Item>
        ))}
        {asked.length > listed && <List.Item>{`and ${asked.length - listed} more`}</List.Item>}
      </List>
      <Text size="sm">
        {`${bytes > 0 ? `Frees about ${formatBytes(bytes)} inside the database. ` : ''}Plans, ` +
          'testbeds and exported files stay. Runs that used one of these as reference keep their ' +
          'scores.'}
      </Text>
      {problem !== null && (
        <Text component="div" size="sm" c={bad} mt={6} role="alert">
          {problem}
        </Text>
      )}
      <Group gap={8} mt="md" justify="flex-end">
        <Button size="xs" variant="default" data-autofocus onClick={onClose}>
          Keep
        </Button>
        <Button size="xs" color="red.9" loading={busy} onClick={() => void remove()}>
          Remove for good
        </Button>
      </Group>
    </Modal>
  );
}
