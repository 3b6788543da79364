import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMemo } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { toAppError } from '../../../core/base/errors.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { VmInfo } from '../../../core/testbed/inventory.ts';
import {
  matchNames,
  type NamedSlot,
  type NamingPreview,
  parsePattern,
  slotsOf,
  suggestPatterns,
} from '../../../core/testbed/naming.ts';
import classes from './dialogs.module.css';

export interface NamingValues {
  pattern: string;
  ignoreCase: boolean;
}
export interface NamingInput {
  profile: Profile;
  tiles: number;
  vms: readonly VmInfo[];
  excludedRefs: ReadonlySet<string>;
}

/** What a pattern finds, or why it cannot be read. */
export function previewNames(
  { profile, tiles, vms, excludedRefs }: NamingInput,
  { pattern, ignoreCase }: NamingValues,
): { preview: NamingPreview | null; error: string | null } {
  try {
    return {
      preview: matchNames(parsePattern(pattern), slotsOf(profile, tiles), vms, {
        ignoreCase,
        excludedRefs,
      }),
      error: null,
    };
  } catch (error) {
    const { message, hint } = toAppError(error);
    return { preview: null, error: [message, hint].filter(Boolean).join(' ') };
  }
}

interface Props {
  input: NamingInput;
  values: NamingValues;
  onChange: (values: NamingValues) => void;
}

/** A name pattern with what it matches and what not, before anything is assigned. */
export function NamingFields({ input, values, onChange }: Props) {
  const { profile, tiles, vms } = input;
  const { preview, error } = useMemo(() => previewNames(input, values), [input, values]);
  const matched = preview?.matched.length ?? 0;
  // Only what matches more than the pattern that is there.
  const suggestions = useMemo(
    () =>
      suggestPatterns(slotsOf(profile, tiles), vms)
        .filter((one) => one.matched > matched)
        .slice(0, 3),
    [profile, tiles, vms, matched],
  );
  return (
    <Stack gap={8}>
      <TextInput
        label="Name pattern"
        description="{tile} or {tile:02} counts from 1; {workload} and {role} as in the profile"
        classNames={{ input: 'mono' }}
        value={values.pattern}
        error={error}
        onChange={(event) => onChange({ ...values, pattern: event.currentTarget.value })}
      />
      <Checkbox
        size="xs"
        label="Upper and lower case count as one"
        checked={values.ignoreCase}
        onChange={(event) => onChange({ ...values, ignoreCase: event.currentTarget.checked })}
      />
      {suggestions.length > 0 && (
        <Group gap={6}>
          <Text size="sm">Found among the VMs:</Text>
          {suggestions.map(({ pattern, matched: count, ignoreCase }) => (
            <Button
              key={pattern}
              size="compact-xs"
              variant="default"
              onClick={() => onChange({ pattern, ignoreCase })}
            >
              <span className="mono">{pattern}</span>&nbsp;{`matches ${count}`}
            </Button>
          ))}
        </Group>
      )}
      {preview && <Preview preview={preview} total={tiles * profile.workloads.length} />}
    </Stack>
  );
}

const slotWords = ({ tile, workloadId }: NamedSlot): string => `tile ${tile + 1} ${workloadId}`;
/** Most lines of a list that are drawn. */
const most = 100;

function Preview({ preview, total }: { preview: NamingPreview; total: number }) {
  const parts = [
    {
      title: `${preview.matched.length} of ${total} match`,
      lines: preview.matched.map(({ slot, vm }) => `${slotWords(slot)}: ${vm.name}`),
    },
    {
      title: `${preview.unmatched.length} without a VM`,
      lines: preview.unmatched.map(
        ({ slot, name }) => `${slotWords(slot)}: no VM is called ${name}`,
      ),
    },
    {
      title: `${counted(preview.ambiguous.length, 'name')} of several VMs`,
      lines: preview.ambiguous.map(
        ({ slot, name, vms }) => `${slotWords(slot)}: ${vms.length} VMs are called ${name}`,
      ),
    },
    {
      title: `${counted(preview.double.length, 'name')} for several workloads`,
      lines: preview.double.map(
        ({ slots, name }) =>
          `${name}: ${slots.slice(0, 3).map(slotWords).join(', ')}${slots.length > 3 ? ' and more' : ''}`,
      ),
    },
    {
      title: `${counted(preview.unused.length, 'VM')} not called for`,
      lines: preview.unused.map(({ name }) => name),
    },
  ];
  return (
    <div role="group" aria-label="What the pattern matches">
      <Text size="sm" role="status" fw={600}>
        {parts
          .slice(0, 4)
          .filter(({ lines }, i) => i === 0 || lines.length > 0)
          .map(({ title }) => title)
          .join(', ')}
        .
      </Text>
      {parts.map(({ title, lines }, i) =>
        lines.length === 0 ? null : (
          <details key={i} open={i === 1}>
            <summary>{title}</summary>
            <ul className={classes.preview}>
              {lines.slice(0, most).map((line) => (
                <li key={line}>{line}</li>
              ))}
              {lines.length > most && (
                <li>{`and ${(lines.length - most).toLocaleString('en')} more`}</li>
              )}
            </ul>
          </details>
        ),
      )}
    </div>
  );
}
