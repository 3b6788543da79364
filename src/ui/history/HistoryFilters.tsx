import { Button, Group, Menu, Select, TextInput } from '@mantine/core';
import { IconColumns, IconSearch } from '@tabler/icons-react';
import { historyColumns } from './historyColumns.tsx';
import { noFilter, type HistoryFilter } from './historyFilter.ts';

interface Props { filter: HistoryFilter; onFilter: (filter: HistoryFilter) => void; profiles: readonly { id: string; name: string }[]; columns: readonly string[]; onColumns: (ids: string[]) => void; shown: number; total: number }

/** Search, filters and the choice of columns, in one row. */
export function HistoryFilters({ filter, onFilter, profiles, columns, onColumns, shown, total }: Props) {
  const change = (part: Partial<HistoryFilter>): void => onFilter({ ...filter, ...part });
  const filtered = JSON.stringify(filter) !== JSON.stringify(noFilter);
  return (
    <Group gap={8}>
      <TextInput size="xs" w={220} type="search" aria-label="Search runs" placeholder="Name, profile, testbed" leftSection={<IconSearch size={14} aria-hidden />} value={filter.text} onChange={(e) => change({ text: e.currentTarget.value })} />
      <Select size="xs" w={120} aria-label="State" allowDeselect={false} value={filter.state} data={[{ value: 'all', label: 'Any state' }, { value: 'active', label: 'Active' }, { value: 'passed', label: 'Passed' }, { value: 'failed', label: 'Failed' }, { value: 'aborted', label: 'Aborted' }]} onChange={(v) => change({ state: (v ?? 'all') })} />
      <Select size="xs" w={160} aria-label="Profile" clearable placeholder="Any profile" value={filter.profileId} data={profiles.map((p) => ({ value: p.id, label: p.name }))} onChange={(profileId) => change({ profileId })} />
      <Select size="xs" w={120} aria-label="Origin" allowDeselect={false} value={filter.origin} data={[{ value: 'all', label: 'Any origin' }, { value: 'real', label: 'Real' }, { value: 'simulated', label: 'Simulated' }, { value: 'replay', label: 'Replay' }]} onChange={(v) => change({ origin: (v ?? 'all') })} />
      <Select size="xs" w={140} aria-label="Rules" allowDeselect={false} value={filter.compliance} data={[{ value: 'all', label: 'Compliant or not' }, { value: 'compliant', label: 'Compliant' }, { value: 'notCompliant', label: 'Not compliant' }]} onChange={(v) => change({ compliance: (v ?? 'all') })} />
      <Menu shadow="sm">
        <Menu.Target><Button size="xs" variant="default" leftSection={<IconColumns size={14} aria-hidden />}>Columns</Button></Menu.Target>
        <Menu.Dropdown>
          {historyColumns.filter((c) => c.id !== 'name').map((c) => (
            <Menu.CheckboxItem key={c.id} checked={columns.includes(c.id)} onChange={(on) => onColumns(on ? [...columns, c.id] : columns.filter((id) => id !== c.id))}>{c.label}</Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
      <span role="status" style={{ fontSize: 12 }}>{filtered ? `${shown} of ${total} runs` : `${total} runs`}</span>
      {filtered && <Button size="compact-xs" variant="subtle" onClick={() => onFilter(noFilter)}>Clear filters</Button>}
    </Group>
  );
}
