import { Anchor, Button, Drawer, Group, Progress, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import {
  type HistoryStorage,
  type RetentionPreview,
  type RetentionRule,
  retentionRule,
} from '../../../core/history/history.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { NumberField } from '../../kit/NumberField.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { useSettled } from '../../kit/useSettled.ts';
import { formatBytes, pathOf } from './entryWords.ts';
import {
  useHistoryRuleQuery,
  useHistoryRuleSetMutation,
  useHistoryStorageQuery,
  useRulePreview,
} from './historyData.ts';

const kindWords: Readonly<Record<HistoryStorage['perKind'][number]['kind'], string>> = {
  runs: 'Runs',
  studies: 'Studies',
  imported: 'Imported files',
  archived: 'Archived',
  deleted: 'Deleted',
};

/**
 * How much the history holds, and the rule that removes by itself. Nothing is removed while the
 * rule is off.
 */
export function StorageDrawer({ onClose }: { onClose: () => void }) {
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title="Storage and retention"
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="lg">
        <Used />
        <Rule />
      </Stack>
    </Drawer>
  );
}

function Used() {
  const { data, error, refetch } = useHistoryStorageQuery({});
  if (data === undefined)
    return error ? (
      <Failure
        title="The storage cannot be read"
        error={error as AppErrorShape}
        onRetry={() => void refetch()}
      />
    ) : (
      <Pending label="storage" rows={4} />
    );
  const used = Math.max(1, data.databaseBytes - data.freeBytes);
  return (
    <Stack gap={6} component="section">
      <Title order={2}>Storage used</Title>
      <Text size="sm">
        {'The database has ' +
          formatBytes(data.databaseBytes) +
          (data.freeBytes > 0
            ? `, of which ${formatBytes(data.freeBytes)} are free for the next runs`
            : '') +
          '.'}
      </Text>
      <Table fz="sm" aria-label="Storage by kind">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Kind</Table.Th>
            <Table.Th ta="right">Entries</Table.Th>
            <Table.Th ta="right">Size</Table.Th>
            <Table.Th w={120}>Share</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.perKind.map((one) => (
            <Table.Tr key={one.kind}>
              <Table.Td>{kindWords[one.kind]}</Table.Td>
              <Table.Td ta="right">{one.entries.toLocaleString('en')}</Table.Td>
              <Table.Td ta="right">{formatBytes(one.bytes)}</Table.Td>
              <Table.Td>
                <Progress
                  value={(one.bytes / used) * 100}
                  size="sm"
                  transitionDuration={0}
                  aria-label={`Share of ${kindWords[one.kind]}`}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {data.unmeasured > 0 && (
        <Group gap={8}>
          <Text size="xs" c={dim}>{`${data.unmeasured} not measured yet.`}</Text>
          <Button size="compact-xs" variant="subtle" onClick={() => void refetch()}>
            Measure on
          </Button>
        </Group>
      )}
      {data.biggest.length > 0 && (
        <>
          <Title order={3} mt={6}>
            Biggest
          </Title>
          <Table fz="sm" aria-label="Biggest entries">
            <Table.Tbody>
              {data.biggest.map((one) => (
                <Table.Tr key={`${one.kind} ${one.id}`}>
                  <Table.Td>
                    <Anchor component={Link} to={pathOf(one)} size="sm">
                      {one.name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td ta="right">{formatBytes(one.bytes)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </Stack>
  );
}

function Rule() {
  const { data, error, refetch } = useHistoryRuleQuery({});
  if (data === undefined)
    return error ? (
      <Failure
        title="The retention rule cannot be read"
        error={error as AppErrorShape}
        onRetry={() => void refetch()}
      />
    ) : (
      <Pending label="retention rule" rows={3} />
    );
  return <RuleForm key={JSON.stringify(data)} kept={data} />;
}

/** One part of the rule: whether it is used, and after how many days; null = it is not. */
function AfterDays({
  label,
  daysLabel,
  usual,
  days,
  onChange,
}: {
  label: string;
  daysLabel: string;
  usual: number;
  days: number | null;
  onChange: (days: number | null) => void;
}) {
  return (
    <Group gap={8} align="center">
      <Switch
        size="xs"
        label={label}
        checked={days !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usual : null)}
      />
      <NumberField
        size="xs"
        w={110}
        within={[1, 3_650]}
        allowDecimal={false}
        suffix=" days"
        aria-label={daysLabel}
        disabled={days === null}
        value={days ?? usual}
        onChange={onChange}
      />
    </Group>
  );
}

function RuleForm({ kept }: { kept: RetentionRule }) {
  const [rule, setRule] = useState(kept);
  const [save, saving] = useHistoryRuleSetMutation();
  const settled = useSettled(JSON.stringify({ ...rule, enabled: true }), 250);
  const preview = useRulePreview(
    settled === null ? null : retentionRule.parse(JSON.parse(settled) as unknown),
  );
  const changed = JSON.stringify(rule) !== JSON.stringify(kept);
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>Retention rule</Title>
      <Text size="sm" c={dim}>
        Applied when switched on, at every start and daily. Favourites, running runs and imported
        files are never touched. Scores, events, notes and set-ups are always kept by thinning.
      </Text>
      <Switch
        size="sm"
        label="Remove by itself what the rule names"
        checked={rule.enabled}
        onChange={(event) => setRule({ ...rule, enabled: event.currentTarget.checked })}
      />
      <AfterDays
        label="Remove for good what lies in Deleted for"
        daysLabel="Days in Deleted"
        usual={30}
        days={rule.deletedDays}
        onChange={(deletedDays) => setRule({ ...rule, deletedDays })}
      />
      <AfterDays
        label="Thin samples to one in 20 s after"
        daysLabel="Days until samples are thinned"
        usual={365}
        days={rule.sampleDays}
        onChange={(sampleDays) => setRule({ ...rule, sampleDays })}
      />
      {preview.error ? (
        <Failure title="No preview" error={preview.error} onRetry={preview.retry} />
      ) : preview.preview === undefined ? (
        <Pending label="preview of the rule" rows={2} />
      ) : (
        <PreviewOf preview={preview.preview} on={rule.enabled} />
      )}
      <Group gap={8}>
        <Button
          size="xs"
          loading={saving.isLoading}
          disabled={!changed}
          onClick={() => void save(rule)}
        >
          {rule.enabled && !kept.enabled ? 'Switch the rule on' : 'Save rule'}
        </Button>
        {changed && (
          <Button size="xs" variant="default" onClick={() => setRule(kept)}>
            Drop changes
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function PreviewOf({ preview, on }: { preview: RetentionPreview; on: boolean }) {
  const lines = [
    ...preview.purge.map((one) => ({ ...one, what: 'Removed for good' })),
    ...preview.thin.map((one) => ({ ...one, what: 'Samples thinned' })),
  ];
  const word = on ? 'With this rule now' : 'With this rule on, now';
  if (lines.length === 0) return <Text size="sm" role="status">{`${word}: nothing goes.`}</Text>;
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {`${word}: ${preview.purge.length} removed for good, ${preview.thin.length} thinned, ` +
          `about ${formatBytes(preview.bytes)} freed.`}
      </Text>
      <Table fz="sm" aria-label="What would go">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>Since</Table.Th>
            <Table.Th ta="right">Size</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.slice(0, 50).map((one) => (
            <Table.Tr key={`${one.kind} ${one.id} ${one.what}`}>
              <Table.Td>{one.name}</Table.Td>
              <Table.Td>{one.what}</Table.Td>
              <Table.Td>{formatDateTime(one.sinceMs)}</Table.Td>
              <Table.Td ta="right">{one.bytes === null ? '–' : formatBytes(one.bytes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {lines.length > 50 && <Text size="xs" c={dim}>{`and ${lines.length - 50} more`}</Text>}
    </Stack>
  );
}
