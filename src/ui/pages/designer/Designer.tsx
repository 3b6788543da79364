import { Text } from '@mantine/core';
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';

import { layoutOf } from '../../../core/layout/layoutEdit.ts';
import { forecast as forecastOf } from '../../../core/layout/layoutForecast.ts';
import { checkLayout } from '../../../core/layout/layoutRules.ts';
import type { Forecast, LayoutFinding } from '../../../core/layout/layoutTypes.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { LayoutView } from '../../../core/testbed/layoutModel.ts';
import { boardCommands } from './boardActions.ts';
import type { BoardContext } from './boardKeys.ts';
import { boardMenu } from './boardMenu.ts';
import { Boards } from './Boards.tsx';
import classes from './designer.module.css';
import { DesignerDialogs } from './DesignerDialogs.tsx';
import { createDrag } from './drag.ts';
import { type BoardFilter, markedText } from './filter.ts';
import { ForecastPanel } from './ForecastPanel.tsx';
import { type Axis, densities } from './geometry.ts';
import { Legend } from './Legend.tsx';
import { type BoardMode, Toolbar } from './Toolbar.tsx';
import { useBoardKeys } from './useBoardKeys.ts';
import type { Edits } from './useEdits.ts';
import { useLayoutView, useShown } from './useLayoutView.ts';
import { useLit } from './useLit.ts';
import { useOpenDialog } from './useOpenDialog.ts';
import { useSelection } from './useSelection.ts';
import { useStable } from './useStable.ts';

interface Props {
  edits: Edits;
  profile: Profile;
  inventory: Inventory | null;
  clients: readonly { id: string; name: string }[];
  /** The same layout as a table. */ table: ReactNode;
}

const axesOf: Readonly<Record<Exclude<BoardMode, 'table'>, readonly Axis[]>> = {
  host: ['host'],
  datastore: ['datastore'],
  both: ['host', 'datastore'],
};

/**
 * The designer: boards of hosts and LUNs with tiles on them, every edit by pointer and by keys, and
 * beside it what the layout asks for.
 */
export function Designer({ edits, profile, inventory, clients, table }: Props) {
  const view = useLayoutView(edits.testbed, inventory, profile, clients);
  const { figures, settled, findings } = useFigures(view);
  const [mode, setMode] = useState<BoardMode>('host');
  const [zoom, zoomTo] = useZoom(edits);
  const [filter, setFilter] = useState<BoardFilter>({ search: '', tiles: 'all', columns: 'all' });
  const [hidden, onToggle] = useHidden();
  const search = useRef<HTMLInputElement>(null);
  const [drag] = useState(() => createDrag(window));
  const clientNames = useMemo(() => new Map(clients.map(({ id, name }) => [id, name])), [clients]);
  const { rows, columns } = useShown(view, figures, findings, filter, clientNames);
  const { selection, targets, reveal, choose } = useSelection(view);
  const { litKey, lit, onLight } = useLit({ view, mode, onMode: setMode, selection, choose });
  const axis: Axis = mode === 'datastore' ? 'datastore' : 'host';
  const { dialog, open, close } = useOpenDialog(edits, targets, axis);
  const clientIds = clients.map(({ id }) => id);
  const commands = boardCommands(edits, view, clientIds);
  const toClipboard = (cut: boolean): void => writeClipboard(commands.copy(targets, cut), edits);
  const board: BoardContext = {
    view,
    rows,
    selection,
    targets,
    edits,
    commands,
    choose,
    open,
    zoom,
    zoomTo,
    toClipboard,
    focusSearch: () => search.current?.focus(),
  };
  const keys = useBoardKeys(board);
  return (
    // Undo and redo work wherever the focus is in the designer, fields apart.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of what is inside, not of the box
    <div className={classes.frame} onKeyDown={keys.anywhere}>
      <div className={classes.top}>
        <Toolbar
          edits={edits}
          mode={mode}
          onMode={setMode}
          zoom={zoom}
          onZoom={zoomTo}
          filter={filter}
          onFilter={setFilter}
          shown={rows.length}
          total={view.tiles.length}
          chosen={selection.chosen.size}
          actions={boardMenu({ targets, open, toClipboard, commands })}
          search={search}
          onGenerate={() => open('generate')}
          onNames={() => open('names')}
        />
        <Said text={edits.said} />
        {mode !== 'table' && view.tiles.length > 0 && (
          <Legend workloads={view.workloads} hidden={hidden} onToggle={onToggle} />
        )}
      </div>
      <div className={classes.boards}>
        {mode === 'table' ? (
          table
        ) : (
          <Boards
            axes={axesOf[mode]}
            board={board}
            keys={keys}
            columns={columns}
            lit={lit}
            hidden={hidden}
            wanted={markedText(filter.search)}
            clientNames={clientNames}
            drag={drag}
            reveal={reveal}
          />
        )}
      </div>
      <div className={classes.side}>
        <ForecastPanel forecast={settled} findings={findings} lit={litKey} onLight={onLight} />
      </div>
      <div ref={(element) => drag.follow(element)} className={classes.ghost} aria-hidden />
      {dialog && (
        <DesignerDialogs
          key={dialog.what}
          dialog={dialog}
          view={view}
          forecast={figures}
          edits={edits}
          commands={commands}
          clients={clients}
          pattern={layoutOf(edits.testbed).namePattern}
          onClose={close}
        />
      )}
    </div>
  );
}

/** What the layout asks for, and what rules say of it. */
function useFigures(view: LayoutView): {
  figures: Forecast;
  settled: Forecast;
  findings: readonly LayoutFinding[];
} {
  const figures = useMemo(() => forecastOf(view), [view]);
  // Rules and the panel follow a moment later: the board answers a key or a drop first.
  const settled = useDeferredValue(figures),
    settledView = useDeferredValue(view);
  const findings = useMemo(
    () => checkLayout(settledView, undefined, settled),
    [settledView, settled],
  );
  return { figures, settled, findings };
}

/** Gives what was copied to the system's clipboard; null = nothing was. */
function writeClipboard(text: string | null, edits: Edits): void {
  if (text !== null)
    void navigator.clipboard?.writeText(text).catch(() => {
      edits.say('Copied, for this window only: the system clipboard is closed to it.');
    });
}

/** What was done last, in words. */
function Said({ text }: { text: string }) {
  return (
    <Text className={classes.said} role="status" aria-label="What was done">
      {text === ''
        ? 'Arrows walk, Space chooses, Enter moves to a host or LUN, ? tells all keys.'
        : text}
    </Text>
  );
}

/** The level of zoom, as an index of `densities`. */
function useZoom(edits: Edits): [number, (to: number) => void] {
  const [zoom, setZoom] = useState(1);
  const zoomTo = useStable((to: number): void => {
    const next = Math.max(0, Math.min(densities.length - 1, to));
    setZoom(next);
    edits.say(`Zoom: ${densities[next]!.name}.`);
  });
  return [zoom, zoomTo];
}

/** Workloads that the legend faded, and what fades or shows one. */
function useHidden(): [ReadonlySet<string>, (id: string) => void] {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const onToggle = useStable((id: string): void =>
    setHidden((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    }),
  );
  return [hidden, onToggle];
}
