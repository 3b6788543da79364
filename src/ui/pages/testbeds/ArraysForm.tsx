import {
  Button,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';

import { counted } from '../../../core/base/counted.ts';
import { toAppError } from '../../../core/base/errors.ts';
import {
  arrayColumns,
  type ArrayFacts,
  mostArrays,
  newArray,
} from '../../../core/testbed/arrayFacts.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { useDesktop } from '../../engine/services.ts';

interface Props {
  testbed: Testbed;
  inventory: Inventory | null;
  onChange: (label: string, testbed: Testbed) => void;
}
type Column = keyof typeof arrayColumns;

const texts = ['model', 'raid', 'diskKind', 'firmware'] as const satisfies readonly Column[];
/** With the most that each takes. */
const numbers = [
  ['disks', 100_000],
  ['readCacheMb', 1e9],
  ['writeCacheMb', 1e9],
  ['highWatermarkPct', 100],
  ['lowWatermarkPct', 100],
] as const satisfies readonly (readonly [Column, number])[];
const examples: Readonly<Record<(typeof texts)[number], string>> = {
  model: 'CX3-20',
  raid: 'RAID 5 (4+1)',
  diskKind: 'FC 15k, 146 GB',
  firmware: '03.26.020',
};
const labelOf = (column: Column): string => {
  const { label, unit } = arrayColumns[column];
  return unit === null ? label : `${label}, ${unit}`;
};

/** What people know of the disk arrays under the datastores: results tell where it differs. */
export function ArraysForm({ testbed, inventory, onChange }: Props) {
  const desktop = useDesktop();
  const arrays = testbed.arrays ?? [];
  const set = (label: string, next: readonly ArrayFacts[]): void => {
    const { arrays: _before, ...rest } = testbed;
    onChange(label, next.length === 0 ? rest : { ...rest, arrays: [...next] });
  };
  const read = async (): Promise<void> => {
    const file = await desktop.openFile(['csv', 'json']);
    if (file === null) return;
    try {
      // Read with the first file: the page needs none of it.
      const { parseArrayFile } = await import('../../../core/customerLab/arrayFile.ts');
      const found = parseArrayFile(file.name, file.text, inventory?.datastores ?? null);
      const names = new Set(found.map(({ name }) => name));
      set('Import arrays', [...arrays.filter(({ name }) => !names.has(name)), ...found]);
      notifications.show({ message: `${counted(found.length, 'array')} read from ${file.name}.` });
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      notifications.show({ color: 'red', title: message, message: hint ?? '' });
    }
  };
  return (
    <Fieldset legend="Disk arrays" variant="default">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          No vCenter tells what lies behind a LUN. What is written here is kept with each version of
          the testbed and with every run, and stands under what differs between two results. What is
          not known stays empty.
        </Text>
        {inventory !== null && (inventory.arrays ?? []).length > 0 && (
          <Text size="sm">
            {`This lab tells its own: ${(inventory.arrays ?? []).map(({ name, model }) => (model === null ? name : `${name} (${model})`)).join(', ')}.`}
          </Text>
        )}
        {arrays.map((array, at) => (
          <ArrayFields
            key={at}
            array={array}
            datastores={inventory?.datastores ?? []}
            onChange={(changed) =>
              set(
                'Describe an array',
                arrays.map((one, i) => (i === at ? changed : one)),
              )
            }
            onRemove={() =>
              set(
                'Remove an array',
                arrays.filter((_, i) => i !== at),
              )
            }
          />
        ))}
        <Group gap="sm">
          <Button
            size="xs"
            variant="default"
            disabled={arrays.length >= mostArrays}
            onClick={() => set('Add an array', [...arrays, newArray(freeName(arrays))])}
          >
            Add array
          </Button>
          <Button size="xs" variant="default" onClick={() => void read()}>
            Import arrays…
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

function freeName(arrays: readonly ArrayFacts[]): string {
  const taken = new Set(arrays.map(({ name }) => name));
  let number = arrays.length + 1;
  while (taken.has(`Array ${number}`)) number += 1;
  return `Array ${number}`;
}

function ArrayFields({
  array,
  datastores,
  onChange,
  onRemove,
}: {
  array: ArrayFacts;
  datastores: Inventory['datastores'];
  onChange: (array: ArrayFacts) => void;
  onRemove: () => void;
}) {
  const named = new Map(
    [...datastores, ...array.datastores].map(({ ref, name }) => [ref, name] as const),
  );
  const { lowWatermarkPct: low, highWatermarkPct: high } = array;
  return (
    <Stack gap="xs" component="section" aria-label={`Array ${array.name}`}>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm" verticalSpacing="xs">
        <TextInput
          label="Name"
          required
          maxLength={120}
          error={array.name.trim() === '' ? 'Give it a name.' : undefined}
          value={array.name}
          onChange={(event) => onChange({ ...array, name: event.currentTarget.value })}
        />
        {texts.map((column) => (
          <TextInput
            key={column}
            label={labelOf(column)}
            placeholder={examples[column]}
            maxLength={120}
            value={array[column] ?? ''}
            onChange={(event) =>
              onChange({ ...array, [column]: event.currentTarget.value || null })
            }
          />
        ))}
        {numbers.map(([column, most]) => (
          <NumberInput
            key={column}
            label={labelOf(column)}
            min={column === 'disks' ? 1 : 0}
            max={most}
            allowNegative={false}
            allowDecimal={column !== 'disks'}
            clampBehavior="strict"
            error={
              column === 'lowWatermarkPct' && low !== null && high !== null && low > high
                ? 'Above the high one.'
                : undefined
            }
            value={array[column] ?? ''}
            onChange={(value) =>
              onChange({ ...array, [column]: value === '' ? null : Number(value) })
            }
          />
        ))}
      </SimpleGrid>
      <Group gap="sm" align="flex-end" grow preventGrowOverflow={false}>
        <MultiSelect
          label="Datastores on it"
          placeholder={array.datastores.length === 0 ? 'Not said' : ''}
          searchable
          data={[...named].map(([value, label]) => ({ value, label }))}
          value={array.datastores.map(({ ref }) => ref)}
          onChange={(refs) =>
            onChange({
              ...array,
              datastores: refs.map((ref) => ({ ref, name: named.get(ref) ?? ref })),
            })
          }
        />
        <Textarea
          label={labelOf('note')}
          autosize
          minRows={1}
          maxRows={4}
          maxLength={2_000}
          value={array.note}
          onChange={(event) => onChange({ ...array, note: event.currentTarget.value })}
        />
        <Button size="xs" variant="subtle" color="red" flex="0 0 auto" onClick={onRemove}>
          Remove array
        </Button>
      </Group>
    </Stack>
  );
}
