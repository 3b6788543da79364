import { Button, Group, Stack, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { RunSummary } from '../../shared/run.ts';
import { compareAddress } from '../compare/compareAddress.ts';
import { SimulatedMark } from '../lab/SimulatedMark.tsx';
import { Failure, Nothing, Pending } from '../runs/LoadState.tsx';
import { useRemoveRun, useRunList } from '../runs/runData.ts';
import { CompareTray } from './CompareTray.tsx';
import { historyColumns, sortRuns, type HistorySort } from './historyColumns.tsx';
import { filterFromParams, filterRuns, newestFirst, paramsFromFilter } from './historyFilter.ts';
import { HistoryFilters } from './HistoryFilters.tsx';
import { HistoryTable } from './HistoryTable.tsx';
import { RemoveRuns } from './RemoveRuns.tsx';
import { RunPreview } from './RunPreview.tsx';

const firstColumns = historyColumns.filter((c) => c.shownAtFirst).map((c) => c.id);
const firstSort: HistorySort = { columnId: 'started', descending: true };
const noRuns: readonly RunSummary[] = [];

/** Every run: search, filter, sort, choose, preview, compare, remove. The filter lives in the address. */
export function HistoryPage() {
  const list = useRunList();
  const removeRun = useRemoveRun();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => filterFromParams(params), [params]);
  const [columnIds, setColumnIds] = useLocalStorage<string[]>({ key: 'history.columns', defaultValue: firstColumns, getInitialValueInEffect: false });
  const [sort, setSort] = useState(firstSort);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [currentId, setCurrentId] = useState<string | null>(null);
  const [removing, setRemoving] = useState(false);
  const runs = list.data ?? noRuns;
  const shown = useMemo(() => sortRuns(newestFirst(filterRuns(runs, filter)), sort), [runs, filter, sort]);
  const chosen = useMemo(() => [...selected].flatMap((id) => runs.find((r) => r.id === id) ?? []), [selected, runs]);
  const profiles = useMemo(() => [...new Map(runs.map((r) => [r.profileId, { id: r.profileId, name: r.profileName }])).values()], [runs]);
  const columns = useMemo(() => historyColumns.filter((c) => c.id === 'name' || columnIds.includes(c.id)), [columnIds]);
  const select = useCallback((ids: readonly string[], on: boolean): void => setSelected((now) => { const next = new Set(now); for (const id of ids) if (on) next.add(id); else next.delete(id); return next; }), []);
  if (list.data === undefined) return list.error ? <Failure title="The history cannot be read" error={list.error} onRetry={list.retry} /> : <Pending label="history" rows={12} />;
  return (
    <Stack gap="sm" style={{ height: '100%', minHeight: 480 }}>
      <Group gap="sm"><Title order={1}>History</Title><SimulatedMark /></Group>
      {runs.length === 0
        ? <Nothing text="No runs yet. Every run that starts is kept here with its score, charts and set-up." action={<Button size="xs" onClick={() => void navigate('/plans')}>Choose a plan</Button>} />
        : (
          <>
            <HistoryFilters filter={filter} onFilter={(f) => setParams(paramsFromFilter(f), { replace: true })} profiles={profiles} columns={columnIds} onColumns={setColumnIds} shown={shown.length} total={runs.length} />
            {list.error && <Failure title="The history may be out of date" error={list.error} onRetry={list.retry} />}
            <Group gap="sm" align="stretch" wrap="nowrap" style={{ flex: 1, minHeight: 0 }}>
              <div style={{ flex: 1, minWidth: 0, minHeight: 0 }}>
                {shown.length === 0 ? <Nothing text="No run matches the filters." /> : <HistoryTable runs={shown} columns={columns} sort={sort} onSort={setSort} selected={selected} onSelect={select} currentId={currentId} onCurrent={setCurrentId} onOpen={(id) => void navigate(`/runs/${id}`)} />}
              </div>
              <div style={{ width: 240, flex: 'none' }}><RunPreview run={shown.find((r) => r.id === currentId)} /></div>
            </Group>
            <CompareTray runs={chosen} onDrop={(id) => select([id], false)} onClear={() => setSelected(new Set())} onRemove={() => setRemoving(true)} onCompare={() => void navigate(compareAddress(chosen[0]?.id ?? null, chosen.slice(1).map((r) => r.id)))} />
            {removing && <RemoveRuns runs={chosen} onClose={() => setRemoving(false)} onRemove={async (id) => { await removeRun(id); select([id], false); }} />}
          </>
        )}
    </Stack>
  );
}
