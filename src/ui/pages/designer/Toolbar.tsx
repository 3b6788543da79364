import { Button, Group, Menu, SegmentedControl, Select, TextInput } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronDown,
  IconWand,
} from '@tabler/icons-react';
import { memo, type RefObject } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { type BoardFilter, columnFilters, tileFilters } from './filter.ts';
import { densities } from './geometry.ts';
import classes from './toolbar.module.css';
import type { Edits } from './useEdits.ts';

export type BoardMode = 'host' | 'datastore' | 'both' | 'table';
export const modes: readonly { value: BoardMode; label: string }[] = [
  { value: 'host', label: 'Hosts' },
  { value: 'datastore', label: 'LUNs' },
  { value: 'both', label: 'Both' },
  { value: 'table', label: 'Table' },
];
/** What can be done with what is chosen. */
export interface BoardAction {
  id: string;
  label: string;
  keys?: string;
  disabled: boolean;
  run: () => void;
}

interface Props {
  edits: Edits;
  mode: BoardMode;
  onMode: (mode: BoardMode) => void;
  zoom: number;
  onZoom: (zoom: number) => void;
  filter: BoardFilter;
  onFilter: (filter: BoardFilter) => void;
  shown: number;
  total: number;
  chosen: number;
  actions: readonly BoardAction[];
  search: RefObject<HTMLInputElement | null>;
  onGenerate: () => void;
  onNames: () => void;
}

/** Everything that can be done on the board, with its keys. */
export function Toolbar({
  edits,
  mode,
  onMode,
  zoom,
  onZoom,
  filter,
  onFilter,
  shown,
  total,
  chosen,
  actions,
  search,
  onGenerate,
  onNames,
}: Props) {
  const board = mode !== 'table';
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Layout">
      <Views mode={mode} onMode={onMode} />
      <Button size="xs" leftSection={<IconWand size={14} aria-hidden />} onClick={onGenerate}>
        Generate…
      </Button>
      <Button size="xs" variant="default" onClick={onNames}>
        Match names…
      </Button>
      {board && (
        <Menu position="bottom-start" transitionProps={{ duration: 0 }}>
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              {chosen > 0 ? `${counted(chosen, 'VM')} chosen` : 'Actions'}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map(({ id, label, keys, disabled, run }) => (
              <Menu.Item
                key={id}
                disabled={disabled}
                rightSection={keys ? <kbd className={classes.keys}>{keys}</kbd> : undefined}
                onClick={run}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Button.Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          disabled={edits.undoes === null}
          title={edits.undoes === null ? 'Nothing to undo' : `Undo: ${edits.undoes} (Ctrl+Z)`}
          onClick={edits.undo}
        >
          Undo
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowForwardUp size={14} aria-hidden />}
          disabled={edits.redoes === null}
          title={edits.redoes === null ? 'Nothing to redo' : `Redo: ${edits.redoes} (Ctrl+Shift+Z)`}
          onClick={edits.redo}
        >
          Redo
        </Button>
      </Button.Group>
      {board && (
        <Shown
          zoom={zoom}
          onZoom={onZoom}
          filter={filter}
          onFilter={onFilter}
          shown={shown}
          total={total}
          search={search}
        />
      )}
    </div>
  );
}

// These are drawn again only where they change themselves: an edit of the board leaves them alone.
const Views = memo(function Views({ mode, onMode }: Pick<Props, 'mode' | 'onMode'>) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="View"
      transitionDuration={0}
      data={modes.map((one) => ({ ...one }))}
      value={mode}
      onChange={(value) => onMode(value)}
    />
  );
});

const Shown = memo(function Shown({
  zoom,
  onZoom,
  filter,
  onFilter,
  shown,
  total,
  search,
}: Pick<Props, 'zoom' | 'onZoom' | 'filter' | 'onFilter' | 'shown' | 'total' | 'search'>) {
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Zoom"
        transitionDuration={0}
        data={densities.map(({ name }, i) => ({ value: String(i), label: name }))}
        value={String(zoom)}
        onChange={(value) => onZoom(Number(value))}
      />
      <Group gap={6}>
        <TextInput
          ref={search}
          size="xs"
          w={170}
          type="search"
          aria-label="Search the layout"
          placeholder="VM, host, LUN, tile 3"
          value={filter.search}
          onChange={(event) => onFilter({ ...filter, search: event.currentTarget.value })}
        />
        <Select
          size="xs"
          w={140}
          aria-label="Tiles shown"
          allowDeselect={false}
          data={tileFilters.map((one) => ({ ...one }))}
          value={filter.tiles}
          onChange={(tiles) => {
            const one = tileFilters.find(({ value }) => value === tiles);
            if (one) onFilter({ ...filter, tiles: one.value });
          }}
        />
        <Select
          size="xs"
          w={120}
          aria-label="Columns shown"
          allowDeselect={false}
          data={columnFilters.map((one) => ({ ...one }))}
          value={filter.columns}
          onChange={(columns) => {
            const one = columnFilters.find(({ value }) => value === columns);
            if (one) onFilter({ ...filter, columns: one.value });
          }}
        />
        <span className={classes.count} role="status">
          {shown === total
            ? counted(total, 'tile')
            : `${shown.toLocaleString('en')} of ${counted(total, 'tile')}`}
        </span>
      </Group>
    </>
  );
});
