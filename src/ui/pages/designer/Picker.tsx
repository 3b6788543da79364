import { Modal, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';

import classes from './picker.module.css';

export interface PickOption {
  value: string;
  label: string;
  detail: string;
}
export interface PickGroup {
  title: string;
  options: readonly PickOption[];
}
interface Props {
  title: string;
  field: string;
  verb: string;
  groups: readonly PickGroup[];
  onChoose: (option: PickOption) => void;
  onClose: () => void;
}

/** Most options drawn at once; typing narrows the rest. */
const most = 200;

/**
 * A list to choose one thing from by typing and arrows: Enter takes it, Escape leaves everything as
 * it was.
 */
export function Picker({ title, field, verb, groups, onChoose, onClose }: Props) {
  const id = useId().replaceAll(':', '');
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const { shown, flat, hidden } = useMemo(() => narrowed(groups, search), [groups, search]);
  const current = Math.min(at, flat.length - 1);
  const go = (to: number): void => {
    const next = Math.max(0, Math.min(flat.length - 1, to));
    setAt(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const key = (event: KeyboardEvent): void => {
    const step: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
    };
    const by = step[event.key];
    if (by !== undefined) {
      event.preventDefault();
      go(current + by);
      return;
    }
    if (event.key === 'Enter' && flat[current]) {
      event.preventDefault();
      onChoose(flat[current]);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 0 }}
    >
      <TextInput
        label={field}
        description={`Arrows choose, Enter ${verb}, Escape leaves everything as it is`}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
        aria-autocomplete="list"
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={key}
        mb={8}
      />
      <div className={classes.picker} role="listbox" id={`${id}-list`} aria-label={field}>
        {shown.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <div className={classes.optionGroup} aria-hidden>
              {group.title}
            </div>
            {group.options.map((option, i) => {
              const index = group.start + i;

              return (
                /* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus --
                   the field has the focus and the keys; a listbox's options are pointed at, not focused. */
                <div
                  key={option.value}
                  role="option"
                  id={`${id}-${index}`}
                  aria-selected={index === current}
                  className={classes.option}
                  onClick={() => onChoose(option)}
                >
                  <span>{option.label}</span>
                  <small>{option.detail}</small>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <Text size="sm" c="dimmed" role="status" mt={4}>
        {flat.length === 0
          ? 'Nothing matches.'
          : hidden > 0
            ? `${hidden.toLocaleString('en')} more: type to narrow.`
            : ''}
      </Text>
    </Modal>
  );
}

/**
 * Groups with the options that contain the text, at most `most` in all; `start` = index of a
 * group's first option among all.
 */
function narrowed(
  groups: readonly PickGroup[],
  search: string,
): { shown: (PickGroup & { start: number })[]; flat: PickOption[]; hidden: number } {
  const wanted = search.trim().toLowerCase();
  const shown: (PickGroup & { start: number })[] = [];
  let drawn = 0,
    passing = 0;
  for (const { title, options } of groups) {
    const found = options.filter(({ label }) => label.toLowerCase().includes(wanted));
    const cut = found.slice(0, most - drawn);
    passing += found.length;
    if (cut.length > 0) shown.push({ title, options: cut, start: drawn });
    drawn += cut.length;
  }
  return { shown, flat: shown.flatMap(({ options }) => options), hidden: passing - drawn };
}
