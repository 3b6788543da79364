import { Button, CloseButton, Group, NativeSelect, Pill, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { RefObject } from 'react';

import { type HistoryShown, noFilter } from '../../engine/historyShown.ts';

interface Props {
  filter: HistoryShown;
  onFilter: (filter: HistoryShown) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  profiles: readonly { id: string; name: string }[];
  tags: readonly string[];
  shown: number;
  total: number;
  /** The engine is still looking through notes and findings. */ searching: boolean;
  /** It could not. */ searchFailed: string | null;
}
const any = (
  label: string,
  list: readonly { value: string; label: string }[],
): { value: string; label: string }[] => [{ value: 'all', label }, ...list];
const states = [
  { value: 'active', label: 'Active' },
  { value: 'passed', label: 'Ended by itself' },
  { value: 'failed', label: 'Failed' },
  { value: 'aborted', label: 'Aborted' },
  { value: 'done', label: 'Done (study)' },
  { value: 'paused', label: 'Paused (study)' },
  { value: 'draft', label: 'Not started' },
];

/** How many are shown of how many, and how far the search is. */
function countWords({
  shown,
  total,
  searching,
  searchFailed,
}: Pick<Props, 'shown' | 'total' | 'searching' | 'searchFailed'>): string {
  const all = total.toLocaleString('en');
  return [
    shown === total ? `${all} in all` : `${shown.toLocaleString('en')} of ${all}`,
    searching ? ', searching notes and findings' : '',
    searchFailed === null ? '' : `. Notes and findings not searched: ${searchFailed}`,
  ].join('');
}

/** Search and filters in one row; it wraps where there is no room. */
export function HistoryFilters({
  filter,
  onFilter,
  searchRef,
  profiles,
  tags,
  shown,
  total,
  searching,
  searchFailed,
}: Props) {
  const change = (part: Partial<HistoryShown>): void => onFilter({ ...filter, ...part });
  const filtered = JSON.stringify({ ...filter, place: 'inUse' }) !== JSON.stringify(noFilter);
  return (
    <Group gap={8} role="search" aria-label="Filters of the history">
      <TextInput
        ref={searchRef}
        size="xs"
        style={{ flex: '1 1 150px', maxWidth: 340 }}
        type="search"
        aria-label="Search runs and studies"
        placeholder="Search"
        maxLength={300}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.text}
        onChange={(event) => change({ text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && filter.text !== '') {
            event.preventDefault();
            change({ text: '' });
          }
        }}
      />
      <FilterSelects filter={filter} profiles={profiles} tags={tags} onChange={change} />
      <span role="status" style={{ fontSize: 12 }}>
        {countWords({ shown, total, searching, searchFailed })}
      </span>
      {filter.folder !== null && (
        <Chosen
          label={filter.folder === '' ? 'In no folder' : `Folder ${filter.folder}`}
          onClear={() => change({ folder: null })}
        />
      )}
      {filter.favourite && (
        <Chosen label="Favourites" onClear={() => change({ favourite: false })} />
      )}
      {filtered && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => onFilter({ ...noFilter, place: filter.place })}
        >
          Clear filters
        </Button>
      )}
    </Group>
  );
}

const orNull = (value: string): string | null => (value === 'all' ? null : value);

/** One drop-down a property of a run or study. */
function FilterSelects({
  filter,
  profiles,
  tags,
  onChange: change,
}: Pick<Props, 'filter' | 'profiles' | 'tags'> & {
  onChange: (part: Partial<HistoryShown>) => void;
}) {
  return (
    <>
      <NativeSelect
        size="xs"
        w={112}
        aria-label="Kind"
        value={filter.kind}
        data={any('Any kind', [
          { value: 'run', label: 'Runs' },
          { value: 'study', label: 'Studies' },
        ])}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change({ kind: value === 'run' || value === 'study' ? value : 'all' });
        }}
      />
      <NativeSelect
        size="xs"
        w={116}
        aria-label="State"
        value={filter.state}
        data={any('Any state', states)}
        onChange={(event) => change({ state: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        w={140}
        aria-label="Profile"
        value={filter.profileId ?? 'all'}
        data={any(
          'Any profile',
          profiles.map((p) => ({ value: p.id, label: p.name })),
        )}
        onChange={(event) => change({ profileId: orNull(event.currentTarget.value) })}
      />
      <NativeSelect
        size="xs"
        w={112}
        aria-label="Tag"
        value={filter.tag ?? 'all'}
        data={any(
          'Any tag',
          tags.map((tag) => ({ value: tag, label: tag })),
        )}
        onChange={(event) => change({ tag: orNull(event.currentTarget.value) })}
      />
      <NativeSelect
        size="xs"
        w={116}
        aria-label="Origin"
        value={filter.origin}
        data={any('Any origin', [
          { value: 'real', label: 'Real' },
          { value: 'simulated', label: 'Simulated' },
          { value: 'replay', label: 'Replay' },
          { value: 'imported', label: 'Imported' },
        ])}
        onChange={(event) =>
          change({ origin: event.currentTarget.value as HistoryShown['origin'] })
        }
      />
      <NativeSelect
        size="xs"
        w={160}
        aria-label="Rules"
        value={filter.compliance}
        data={any('Compliant or not', [
          { value: 'compliant', label: 'Compliant' },
          { value: 'notCompliant', label: 'Not compliant' },
        ])}
        onChange={(event) =>
          change({ compliance: event.currentTarget.value as HistoryShown['compliance'] })
        }
      />
    </>
  );
}

/** A filter that is set elsewhere, with the way out of it. */
function Chosen({ label, onClear }: { label: string; onClear: () => void }) {
  return (
    <Group gap={2} wrap="nowrap">
      <Pill size="sm">{label}</Pill>
      <CloseButton size="xs" aria-label={`Clear ${label}`} onClick={onClear} />
    </Group>
  );
}
