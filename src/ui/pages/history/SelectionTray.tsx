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
/** Whether an export replaces names and addresses. */
interface Redaction {
  redact: boolean;
  onRedact: (redact: boolean) => void;
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
export function SelectionTray(props: Props) {
  const { entries, hidden, inDeleted, actions } = props;
  // Kept while nothing is selected.
  const [redact, setRedact] = useState(false);
  if (entries.length === 0) return null;
  const fault = compareFault(entries);
  return (
    <Paper p={8} role="region" aria-label="Selected">
      <Group gap={8}>
        <Text size="sm" fw={600}>{`${countedKinds(entries)} selected`}</Text>
        {hidden > 0 && <Text size="sm" c={dim}>{`${hidden} not among those shown`}</Text>}
        <FirstNamed entries={entries} withBaseline={fault === null} onDrop={actions.onDrop} />
        <Group gap={6} ml="auto">
          <Button size="xs" variant="subtle" onClick={actions.onClear}>
            Clear selection
          </Button>
          {inDeleted ? (
            <DeletedActions actions={actions} />
          ) : (
            <Actions {...props} fault={fault} redact={redact} onRedact={setRedact} />
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

/** The first few by name, each with a way out of the selection. */
function FirstNamed({
  entries,
  withBaseline,
  onDrop,
}: {
  entries: readonly HistoryEntry[];
  withBaseline: boolean;
  onDrop: (entry: HistoryEntry) => void;
}) {
  return (
    <>
      {entries.slice(0, named).map((one, i) => (
        <Group key={`${one.kind} ${one.id}`} gap={2} wrap="nowrap" maw={200}>
          <Text size="sm" truncate title={one.name}>
            {i === 0 && entries.length > 1 && one.kind === 'run' && withBaseline
              ? `${one.name} (baseline)`
              : one.name}
          </Text>
          <CloseButton size="xs" aria-label={`Deselect ${one.name}`} onClick={() => onDrop(one)} />
        </Group>
      ))}
      {entries.length > named && (
        <Text size="sm" c={dim}>{`and ${entries.length - named} more`}</Text>
      )}
    </>
  );
}

/** One thing that can be done with all of the selection. */
function Act({
  label,
  icon: Icon,
  grave = false,
  onClick,
}: {
  label: string;
  icon: typeof IconStar;
  /** It takes something away. */ grave?: boolean;
  onClick: () => void;
}) {
  return (
    <Button
      size="xs"
      variant="default"
      {...(grave ? { c: 'var(--tb-bad)' } : {})}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

function DeletedActions({ actions }: { actions: TrayActions }) {
  return (
    <>
      <Act label="Restore" icon={IconArrowBackUp} onClick={actions.onRestore} />
      <Act label="Remove for good…" icon={IconTrash} grave onClick={actions.onPurge} />
    </>
  );
}

function Actions(props: Props & Redaction & { fault: string | null }) {
  const { entries, actions, fault } = props;
  const archived = entries.every((one) => one.archivedAtMs !== null);
  return (
    <>
      <Act
        label={entries.every((one) => one.favourite) ? 'No favourite' : 'Favourite'}
        icon={IconStar}
        onClick={actions.onFavourite}
      />
      <Act label="Tags…" icon={IconTags} onClick={actions.onTags} />
      <Act label="Folder…" icon={IconFolder} onClick={actions.onFolder} />
      <ExportMenu {...props} />
      <Act
        label={archived ? 'Bring back' : 'Archive'}
        icon={archived ? IconArchiveOff : IconArchive}
        onClick={() => actions.onArchive(!archived)}
      />
      <Act label="Delete" icon={IconTrash} grave onClick={actions.onRemove} />
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
  );
}

/** Formats of the export, and whether names are replaced. */
function ExportMenu({
  entries,
  exporting,
  actions,
  exportOpen,
  onExportOpen,
  redact,
  onRedact,
}: Props & Redaction) {
  return (
    <Menu
      position="top-end"
      transitionProps={{ duration: 0 }}
      opened={exportOpen}
      onChange={onExportOpen}
    >
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
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
          onClick={() => onRedact(!redact)}
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
  );
}
