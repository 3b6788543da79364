import { Button, Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import { IconFileSpreadsheet, IconTrash } from '@tabler/icons-react';

import { counted } from '../../../core/base/counted.ts';
import {
  type ColumnChoice,
  type ColumnField,
  columnFields,
  knownColumns,
  type TableKind,
  tableKinds,
  unitsOf,
} from '../../../core/customerLab/columns.ts';
import { columnLetters } from '../../../core/customerLab/table.ts';
import type { SheetChoice, TableSheet } from '../../../core/customerLab/tableSheet.ts';
import { Fold } from '../../kit/Fold.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import type { CustomerLab, SourceFile } from './customerLabState.ts';

const kindWords: Readonly<Record<TableKind, string>> = {
  hosts: 'Hosts',
  datastores: 'Datastores',
  vms: 'VMs',
};

/** Where the lab comes from: files of an inventory, each with its tables and what they are. */
export function SourceFiles({ lab }: { lab: CustomerLab }) {
  const { files, fault, busy, clusters, cluster, leftOut } = lab;
  return (
    <Paper p="md" component="section" aria-label="Tables">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2}>Tables of the inventory</Title>
            <Text size="sm" c={dim} maw={720}>
              RVTools with its tabs vHost, vDatastore and vInfo, as XLSX or CSV, or any CSV whose
              columns are said here. Nothing leaves this computer.
            </Text>
          </div>
          <Button
            variant={files.length === 0 ? 'filled' : 'default'}
            leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
            loading={busy}
            onClick={() => void lab.add()}
          >
            {files.length === 0 ? 'Choose a file…' : 'Add a file…'}
          </Button>
        </Group>
        {fault !== null && (
          <Text size="sm" c="var(--tb-bad)" role="alert">
            {[fault.message, fault.hint].filter(Boolean).join(' ')}
          </Text>
        )}
        {files.map((file) => (
          <File key={file.name} file={file} lab={lab} />
        ))}
        {clusters.length > 1 && (
          <NativeSelect
            label="Cluster"
            description="A lab is one cluster of at most 64 hosts"
            w={360}
            value={cluster ?? '*'}
            data={[
              ...clusters.map(({ name, hosts }) => ({
                value: name,
                label: `${name === '' ? 'Hosts of no cluster' : name} (${counted(hosts, 'host')})`,
              })),
              { value: '*', label: 'All of them as one' },
            ]}
            onChange={(event) =>
              lab.setCluster(event.currentTarget.value === '*' ? null : event.currentTarget.value)
            }
          />
        )}
        {leftOut.length > 0 && (
          <Text size="sm" c={dim} component="div">
            Left out:
            <ul style={{ margin: 0, paddingLeft: 20 }}>
              {leftOut.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function File({ file, lab }: { file: SourceFile; lab: CustomerLab }) {
  return (
    <Stack gap={6} component="section" aria-label={file.name}>
      <Group gap="sm">
        <Text fw={600} size="sm">
          {file.name}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconTrash size={13} aria-hidden />}
          aria-label={`Remove ${file.name}`}
          onClick={() => lab.remove(file)}
        >
          Remove
        </Button>
      </Group>
      {file.faults.map((words) => (
        <Text key={words} size="sm" c="var(--tb-bad)" role="alert">
          {words}
        </Text>
      ))}
      {file.sheets.map((sheet, index) => (
        <Fold key={sheet.sheet ?? ''} title={sheet.sheet ?? 'Columns'} said={sheetWords(sheet)}>
          <SheetColumns sheet={sheet} onChoose={(choice) => void lab.choose(file, index, choice)} />
        </Fold>
      ))}
    </Stack>
  );
}

function sheetWords({ choice, rows, columns }: TableSheet): string {
  if (choice.kind === null)
    return `${counted(rows, 'row')}, ${counted(columns.length, 'column')}: not used; say what it is`;
  const fields = columnFields[choice.kind];
  const found = fields.filter(({ key }) => choice.columns[key] !== undefined).length;
  return `${kindWords[choice.kind]}, ${counted(rows, 'row')}; ${found} of ${fields.length} columns found`;
}

/** What a sheet is, and which of its columns is what, with what stands in it. */
function SheetColumns({
  sheet,
  onChoose,
}: {
  sheet: TableSheet;
  onChoose: (choice: SheetChoice) => void;
}) {
  const { choice, columns } = sheet;
  const { kind } = choice;
  return (
    <Stack gap="sm">
      <NativeSelect
        label="This table is of"
        w={220}
        value={kind ?? ''}
        data={[
          { value: '', label: 'Not used' },
          ...tableKinds.map((one) => ({ value: one, label: kindWords[one] })),
        ]}
        onChange={(event) => {
          const next = tableKinds.find((one) => one === event.currentTarget.value) ?? null;
          onChoose({
            kind: next,
            columns: next === null ? {} : { ...knownColumns(next, columns) },
          });
        }}
      />
      {kind !== null && (
        <Table aria-label={`Columns of ${sheet.sheet ?? sheet.file}`} verticalSpacing={4} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={190}>What</Table.Th>
              <Table.Th w={280}>Column</Table.Th>
              <Table.Th w={110}>Unit</Table.Th>
              <Table.Th>First rows</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columnFields[kind].map((field) => (
              <ColumnRow
                key={field.key}
                field={field}
                sheet={sheet}
                onChoose={(next) => {
                  const { [field.key]: _, ...rest } = choice.columns;
                  onChoose({
                    kind,
                    columns: next === undefined ? rest : { ...rest, [field.key]: next },
                  });
                }}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}

/** One field: its column, the column's unit, and what stands in it. */
function ColumnRow({
  field: { key, label, quantity, unit },
  sheet: { choice, columns, sample },
  onChoose,
}: {
  field: ColumnField;
  sheet: TableSheet;
  onChoose: (choice: ColumnChoice | undefined) => void;
}) {
  const found = choice.columns[key];
  const first = found === undefined ? [] : sample.slice(0, 3).map((row) => row[found.column] ?? '');
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {label}
      </Table.Th>
      <Table.Td>
        <NativeSelect
          size="xs"
          aria-label={`Column of ${label}`}
          value={found === undefined ? '' : String(found.column)}
          data={[
            { value: '', label: 'None' },
            ...columns.map((head, index) => ({
              value: String(index),
              label: `${columnLetters(index)}: ${head === '' ? 'without a name' : head}`,
            })),
          ]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            onChoose(
              value === '' ? undefined : { column: Number(value), unit: found?.unit ?? unit },
            );
          }}
        />
      </Table.Td>
      <Table.Td>
        {quantity !== undefined && found !== undefined && (
          <NativeSelect
            size="xs"
            aria-label={`Unit of ${label}`}
            value={found.unit ?? ''}
            data={unitsOf(quantity)}
            onChange={(event) =>
              onChoose({ column: found.column, unit: event.currentTarget.value })
            }
          />
        )}
      </Table.Td>
      <Table.Td c={dim}>{first.filter((text) => text !== '').join(' · ')}</Table.Td>
    </Table.Tr>
  );
}
