import { Badge, Button, Group, Stack, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';

import {
  cleanTag,
  type HistoryEntry,
  historyLimits,
  tagFault,
  tagKey,
} from '../../../core/history/history.ts';
import { dim } from '../../kit/tones.ts';
import { itemOf } from './historyData.ts';
import type { HistoryActions } from './useHistoryActions.tsx';

interface Props {
  entries: readonly HistoryEntry[];
  known: readonly string[];
  actions: Pick<HistoryActions, 'annotate'>;
  /** The field has the focus when its dialog opens. */ focused?: boolean;
  label?: string;
}

/**
 * Tags as chips, of one entry or of many: those of all stand in the field, those of some below it.
 * Each change is kept at once.
 */
export function TagEditor({ entries, known, actions, focused = false, label = 'Tags' }: Props) {
  const [search, setSearch] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const counts = new Map<string, { tag: string; count: number }>();
  for (const entry of entries)
    for (const tag of entry.tags)
      counts.set(tagKey(tag), {
        tag: counts.get(tagKey(tag))?.tag ?? tag,
        count: (counts.get(tagKey(tag))?.count ?? 0) + 1,
      });
  const ofAll = [...counts.values()]
    .filter((one) => one.count === entries.length)
    .map((one) => one.tag);
  const ofSome = [...counts.values()].filter((one) => one.count < entries.length);
  const items = entries.map(itemOf);
  const change = (next: readonly string[]): void => {
    const keys = new Set(next.map(tagKey));
    const added = next
      .map(cleanTag)
      .filter((tag) => !ofAll.some((one) => tagKey(one) === tagKey(tag)));
    const wrong =
      added.map((tag) => ({ tag, message: tagFault(tag) })).find((one) => one.message !== null) ??
      (next.length > historyLimits.tagsPerEntry
        ? { tag: '', message: `At most ${historyLimits.tagsPerEntry} tags.` }
        : undefined);
    if (wrong !== undefined) {
      setFault(wrong.message);
      setSearch(wrong.tag);
      return;
    }
    setFault(null);
    const removed = ofAll.filter((tag) => !keys.has(tagKey(tag)));
    if (added.length + removed.length > 0)
      void actions.annotate(items, { addTags: added, removeTags: removed });
  };
  return (
    <Stack gap={6}>
      <TagsInput
        size="xs"
        label={label}
        data-autofocus={focused || undefined}
        description={entries.length > 1 ? `Of all ${entries.length} selected` : undefined}
        placeholder={ofAll.length === 0 ? 'Type, Enter adds' : undefined}
        value={ofAll}
        onChange={change}
        searchValue={search}
        onSearchChange={(text) => {
          setSearch(text);
          if (text !== '') setFault(null);
        }}
        data={known.filter((tag) => !ofAll.includes(tag))}
        limit={12}
        splitChars={[',', ';']}
        acceptValueOnBlur={false}
        error={fault}
        isDuplicate={(tag, present) => present.some((one) => tagKey(one) === tagKey(tag))}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        clearButtonProps={{ 'aria-label': 'Remove all tags' }}
      />
      {ofSome.length > 0 && (
        <Text size="xs" c={dim}>
          On some
        </Text>
      )}
      {ofSome.map(({ tag, count }) => (
        <Group key={tag} gap={6} wrap="nowrap">
          <Badge
            variant="default"
            tt="none"
            fw={400}
          >{`${tag}, ${count} of ${entries.length}`}</Badge>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Add ${tag} to all`}
            onClick={() => void actions.annotate(items, { addTags: [tag] })}
          >
            Add to all
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Remove ${tag} from all`}
            onClick={() => void actions.annotate(items, { removeTags: [tag] })}
          >
            Remove
          </Button>
        </Group>
      ))}
    </Stack>
  );
}
