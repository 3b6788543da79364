import { type ComboboxParsedItem, type OptionsFilter, Select } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react';

import { type BoardTarget, type TargetKind, targetTitles } from './boardTargets.ts';

const most = 60;

/** Every word must occur, in any order; numbers as they stand. */
export function matchesWords(label: string, search: string): boolean {
  const text = label.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const filter: OptionsFilter = ({ options, search }) => {
  let left = most;
  const found: ComboboxParsedItem[] = [];
  for (const option of options) {
    if (!('group' in option)) {
      if (matchesWords(option.label, search)) found.push(option);
      continue;
    }
    const items = option.items
      .filter((item) => typeof item === 'object' && matchesWords(item.label, search))
      .slice(0, left);
    left -= items.length;
    if (items.length > 0) found.push({ ...option, items });
  }
  return found;
};

/** Finds a tile, workload, host, LUN, uplink by a part of its name. */
export function BoardSearch({
  targets,
  onOpen,
  field,
}: {
  targets: readonly BoardTarget[];
  onOpen: (key: string) => void;
  field: RefObject<HTMLInputElement | null>;
}) {
  const data = useMemo(
    () =>
      (Object.keys(targetTitles) as TargetKind[]).flatMap((kind) => {
        const items = targets
          .filter((t) => t.kind === kind)
          .map((t) => ({ value: t.key, label: t.label }));
        return items.length === 0 ? [] : [{ group: targetTitles[kind], items }];
      }),
    [targets],
  );
  const [search, setSearch] = useState('');
  const pick = (key: string): void => {
    onOpen(key);
    setSearch('');
    field.current?.blur();
  };
  // The library forgets its first option a moment after the list opens: an Enter soon after a
  // pasted or quickly typed name would be lost.
  const onEnter = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || search.trim() === '') return;
    event.preventDefault();
    event.stopPropagation();
    const marked = document
      .getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
      ?.querySelector<HTMLElement>('[data-combobox-selected]');
    const first = data
      .flatMap(({ items }) => items)
      .find(({ label }) => matchesWords(label, search));
    if (marked) marked.click();
    else if (first) pick(first.value);
  };
  return (
    <Select
      ref={field}
      size="xs"
      w={200}
      aria-label="Find on the board"
      placeholder="Find tile, host, LUN …  /"
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={<span />}
      data={data}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      onKeyDownCapture={onEnter}
      value={null}
      filter={filter}
      nothingFoundMessage="Nothing of this name"
      maxDropdownHeight={420}
      selectFirstOptionOnChange
      comboboxProps={{ width: 360, position: 'bottom-start', transitionProps: { duration: 0 } }}
      onChange={(key) => {
        if (key !== null) pick(key);
      }}
    />
  );
}
