import {
  Button,
  Checkbox,
  CloseButton,
  Group,
  Menu,
  Paper,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconArrowBackUp,
  IconArrowsDiff,
  IconChevronDown,
  IconDownload,
  IconFolder,
  IconStar,
  IconTags,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';

import type { HistoryEntry } from '../../../core/history/history.ts';
import { maxCompared } from '../../addresses/compareAddress.ts';
import { dim } from '../../kit/tones.ts';
import { countedKinds } from './entryWords.ts';
import { type ExportChoice, exportChoices } from './exportSelected.ts';

export interface TrayActions {
  onClear: () => void;
  onDrop: (entry: HistoryEntry) => void;
  onCompare: () => void;
  onTags: () => void;
  onFolder: () => void;
  onFavourite: () => void;
  onArchive: (archived: boolean) => void;
  onRemove: () => void;
  onRestore: () => void;
  onPurge: () => void;
  onExport: (choice: ExportChoice, redact: boolean) => void;
}
interface Props {
  entries: readonly HistoryEntry[];
  /** Selected, and not among what is shown. */ hidden: number;
  inDeleted: boolean;
  exporting: boolean;
  actions: TrayActions;
  exportOpen: boolean;
  onExportOpen: (open: boolean) => void;
}
const named = 3;

/** Why a selection cannot be compared, or null. */
export function compareFault(entries: readonly HistoryEntry[]): string | null {
  const kinds = new Set(entries.map((one) => one.kind));
  if (kinds.size > 1) return 'Runs are compared with runs, studies with studies.';
  if (entries.length < (kinds.has('study') ? 1 : 2)) return 'Two runs at least.';
  const most = kinds.has('study') ? 8 : maxCompared + 1;
  return entries.length > most ? `At most ${most} side by side.` : null;
}

/**
 * What is selected, and what can be done with all of it. The first selected run is the baseline.
 */
export function SelectionTray({
  entries,
  hidden,
  inDeleted,
  exporting,
  actions,
  exportOpen,
  onExportOpen,
}: Props) {
  const [redact, setRedact] = useState(false);
  if (entries.length === 0) return null;
  const fault = compareFault(entries);
  const archived = entries.every((one) => one.archivedAtMs !== null);
  const button = { size: 'xs', variant: 'default' } as const;
  return (
    <Paper withBorder p={8} role="region" aria-label="Selected">
      <Group gap={8}>
        <Text size="sm" fw={600}>{`${countedKinds(entries)} selected`}</Text>
        {hidden > 0 && <Text size="sm" c={dim}>{`${hidden} not among those shown`}</Text>}
        {entries.slice(0, named).map((one, i) => (
          <Group key={`${one.kind} ${one.id}`} gap={2} wrap="nowrap" maw={200}>
            <Text size="sm" truncate title={one.name}>
              {i === 0 && entries.length > 1 && one.kind === 'run' && fault === null
                ? `${one.name} (baseline)`
                : one.name}
            </Text>
            <CloseButton
              size="xs"
              aria-label={`Deselect ${one.name}`}
              onClick={() => actions.onDrop(one)}
            />
          </Group>
        ))}
        {entries.length > named && (
          <Text size="sm" c={dim}>{`and ${entries.length - named} more`}</Text>
        )}
        <Group gap={6} ml="auto">
          <Button size="xs" variant="subtle" onClick={actions.onClear}>
            Clear selection
          </Button>
          {inDeleted ? (
            <>
              <Button
                {...button}
                leftSection={<IconArrowBackUp size={14} aria-hidden />}
                onClick={actions.onRestore}
              >
                Restore
              </Button>
              <Button
                {...button}
                c="var(--tb-bad)"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={actions.onPurge}
              >
                Remove for good…
              </Button>
            </>
          ) : (
            <>
              <Button
                {...button}
                leftSection={<IconStar size={14} aria-hidden />}
                onClick={actions.onFavourite}
              >
                {entries.every((one) => one.favourite) ? 'No favourite' : 'Favourite'}
              </Button>
              <Button
                {...button}
                leftSection={<IconTags size={14} aria-hidden />}
                onClick={actions.onTags}
              >
                Tags…
              </Button>
              <Button
                {...button}
                leftSection={<IconFolder size={14} aria-hidden />}
                onClick={actions.onFolder}
              >
                Folder…
              </Button>
              <Menu
                position="top-end"
                transitionProps={{ duration: 0 }}
                opened={exportOpen}
                onChange={onExportOpen}
              >
                <Menu.Target>
                  <Button
                    {...button}
                    loading={exporting}
                    leftSection={<IconDownload size={14} aria-hidden />}
                    rightSection={<IconChevronDown size={12} aria-hidden />}
                  >
                    Export
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item
                    closeMenuOnClick={false}
                    leftSection={<Checkbox.Indicator size="xs" checked={redact} aria-hidden />}
                    onClick={() => setRedact(!redact)}
                  >
                    Replace names and addresses
                    <VisuallyHidden>{redact ? ', on' : ', off'}</VisuallyHidden>
                  </Menu.Item>
                  <Menu.Divider />
                  {exportChoices.map(({ choice, label, runsOnly }) => (
                    <Menu.Item
                      key={choice}
                      disabled={runsOnly && !entries.some((one) => one.kind === 'run')}
                      onClick={() => actions.onExport(choice, redact)}
                    >
                      {label}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
              <Button
                {...button}
                leftSection={
                  archived ? (
                    <IconArchiveOff size={14} aria-hidden />
                  ) : (
                    <IconArchive size={14} aria-hidden />
                  )
                }
                onClick={() => actions.onArchive(!archived)}
              >
                {archived ? 'Bring back' : 'Archive'}
              </Button>
              <Button
                {...button}
                c="var(--tb-bad)"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={actions.onRemove}
              >
                Delete
              </Button>
              <Button
                size="xs"
                leftSection={<IconArrowsDiff size={14} aria-hidden />}
                disabled={fault !== null}
                title={fault ?? undefined}
                onClick={actions.onCompare}
              >
                Compare
              </Button>
            </>
          )}
        </Group>
        {fault !== null && !inDeleted && entries.length > 1 && (
          <Text size="xs" c={dim} w="100%" ta="right">
            {fault}
          </Text>
        )}
      </Group>
    </Paper>
  );
}
