import { Stack, Text } from '@mantine/core';
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';

import { layoutOf } from '../../../core/layout/layoutEdit.ts';
import { forecast as forecastOf } from '../../../core/layout/layoutForecast.ts';
import { checkLayout } from '../../../core/layout/layoutRules.ts';
import { type LayoutFinding } from '../../../core/layout/layoutTypes.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { Inventory } from '../../../core/testbed/testbed.ts';
import { aboutOf, flaggedKeys } from './about.ts';
import { Board } from './Board.tsx';
import { boardCommands } from './boardActions.ts';
import classes from './designer.module.css';
import { DesignerDialogs, type OpenDialog } from './DesignerDialogs.tsx';
import { createDrag } from './drag.ts';
import { type BoardFilter, shownTiles, wantedText } from './filter.ts';
import { ForecastPanel } from './ForecastPanel.tsx';
import { type Axis, densities } from './geometry.ts';
import { Legend } from './Legend.tsx';
import { nameOfKeys } from './pickers.ts';
import {
  isHead,
  kept,
  keysFor,
  nothingChosen,
  pick,
  type Selection,
  targetsOf,
} from './selection.ts';
import { type BoardAction, type BoardMode, Toolbar } from './Toolbar.tsx';
import { useBoardKeys } from './useBoardKeys.ts';
import type { Edits } from './useEdits.ts';
import { useColumns, useLayoutView } from './useLayoutView.ts';
import { useStable } from './useStable.ts';

interface Props {
  edits: Edits;
  profile: Profile;
  inventory: Inventory | null;
  clients: readonly { id: string; name: string }[];
  /** The same layout as a table. */ table: ReactNode;
}

/**
 * The designer: boards of hosts and LUNs with tiles on them, every edit by pointer and by keys, and
 * beside it what the layout asks for.
 */
export function Designer({ edits, profile, inventory, clients, table }: Props) {
  const { testbed } = edits;
  const view = useLayoutView(testbed, inventory, profile, clients);
  const figures = useMemo(() => forecastOf(view), [view]);
  // Rules and the panel follow a moment later: the board answers a key or a drop first.
  const settled = useDeferredValue(figures),
    settledView = useDeferredValue(view);
  const findings = useMemo(
    () => checkLayout(settledView, undefined, settled),
    [settledView, settled],
  );
  const [mode, setMode] = useState<BoardMode>('host');
  const [zoom, setZoom] = useState(1);
  const [filter, setFilter] = useState<BoardFilter>({ search: '', tiles: 'all', columns: 'all' });
  const [held, setSelection] = useState<Selection>(nothingChosen);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [light, setLight] = useState<{ key: string; about: LayoutFinding['at'] } | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [reveal, setReveal] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  const [drag] = useState(() => createDrag(window));
  const selection = kept(view, held);
  const clientNames = useMemo(() => new Map(clients.map(({ id, name }) => [id, name])), [clients]);
  const flagged = useMemo(
    () =>
      filter.tiles === 'findings'
        ? flaggedKeys(
            view,
            findings.filter(({ severity }) => severity !== 'info').map(({ at }) => at),
          )
        : new Set<string>(),
    [filter.tiles, view, findings],
  );
  const rows = useMemo(
    () => shownTiles(view, filter, clientNames, flagged),
    [view, filter, clientNames, flagged],
  );
  const hostColumns = useColumns(view, figures, 'host', filter.columns),
    storeColumns = useColumns(view, figures, 'datastore', filter.columns);
  const lit = useMemo(
    () => (light ? aboutOf(view, light.about) : new Set<string>()),
    [view, light],
  );
  const targets = targetsOf(view, selection);
  const commands = boardCommands(
    edits,
    view,
    clients.map(({ id }) => id),
  );
  const axis: Axis = mode === 'datastore' ? 'datastore' : 'host';

  const choose = (next: Selection, show = true): void => {
    setSelection(next);
    if (show) setReveal((n) => n + 1);
  };
  const open = (what: OpenDialog['what'], from: Axis = axis): void => {
    if ((what === 'move' || what === 'client' || what === 'vm') && targets.length === 0) {
      edits.say('Nothing is chosen.');
      return;
    }
    if (what === 'vm' && targets.length !== 1) {
      edits.say('A VM is assigned to one workload at a time; choose one.');
      return;
    }
    setDialog({ what, axis: from, keys: targets, from: document.activeElement });
  };
  const zoomTo = useStable((to: number): void => {
    const next = Math.max(0, Math.min(densities.length - 1, to));
    setZoom(next);
    edits.say(`Zoom: ${densities[next]!.name}.`);
  });
  const toClipboard = (cut: boolean): void => {
    const text = commands.copy(targets, cut);
    if (text !== null)
      void navigator.clipboard?.writeText(text).catch(() => {
        edits.say('Copied, for this window only: the system clipboard is closed to it.');
      });
  };
  const boardKeys = useBoardKeys({
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
    search,
    toClipboard,
  });
  const some = targets.length > 0;
  const actions: BoardAction[] = [
    { id: 'move', label: 'Move to…', keys: 'Enter', disabled: !some, run: () => open('move') },
    {
      id: 'vm',
      label: 'Assign VM…',
      keys: 'V',
      disabled: targets.length !== 1,
      run: () => open('vm'),
    },
    {
      id: 'client',
      label: 'Load from client…',
      keys: 'L',
      disabled: !some,
      run: () => open('client'),
    },
    {
      id: 'copy',
      label: 'Copy tiles',
      keys: 'Ctrl+C',
      disabled: !some,
      run: () => toClipboard(false),
    },
    {
      id: 'cut',
      label: 'Cut tiles',
      keys: 'Ctrl+X',
      disabled: !some,
      run: () => toClipboard(true),
    },
    {
      id: 'paste',
      label: 'Paste tiles',
      keys: 'Ctrl+V',
      disabled: false,
      run: () => commands.paste(null, targets),
    },
    {
      id: 'duplicate',
      label: 'Duplicate tiles',
      keys: 'D',
      disabled: !some,
      run: () => commands.duplicate(targets),
    },
    {
      id: 'up',
      label: 'Move tiles up',
      keys: 'Alt+↑',
      disabled: !some,
      run: () => {
        commands.shift(targets, -1);
      },
    },
    {
      id: 'down',
      label: 'Move tiles down',
      keys: 'Alt+↓',
      disabled: !some,
      run: () => {
        commands.shift(targets, 1);
      },
    },
    { id: 'add', label: 'Add a tile', keys: 'Insert', disabled: false, run: commands.add },
    {
      id: 'remove',
      label: 'Remove tiles',
      keys: 'Delete',
      disabled: !some,
      run: () => commands.remove(targets),
    },
  ];
  const startDrag = (key: string): ReturnType<Parameters<typeof drag.press>[1]> => {
    const own = keysFor(view, key);
    const keys = own.every((one) => selection.chosen.has(one)) ? targets : own;
    if (keys !== targets) choose({ chosen: new Set(keys), active: key, anchor: key }, false);
    return {
      label: nameOfKeys(view, keys),
      drop: (place) => commands.place(keys, place.axis, place.ref),
      cancelled: () => edits.say('Nothing was moved.'),
    };
  };
  const board = (of: Axis, heightCss: string): ReactNode => (
    <Board
      axis={of}
      view={view}
      rows={rows}
      columns={of === 'host' ? hostColumns : storeColumns}
      density={densities[zoom]!}
      selection={selection}
      lit={lit}
      hidden={hidden}
      wanted={/^tile\s*\d+$/.test(wantedText(filter.search)) ? '' : wantedText(filter.search)}
      clientNames={clientNames}
      drag={drag}
      heightCss={heightCss}
      reveal={reveal}
      onPick={(key, how) => choose(pick(view, rows, selection, key, how), false)}
      onKey={boardKeys.key}
      onKeyUp={boardKeys.keyUp}
      onClipboard={boardKeys.clipboard}
      onOpen={() => open('move', of)}
      onDragStart={startDrag}
      onPickColumn={(onAxis, ref) => boardKeys.chooseColumn(onAxis, ref)}
    />
  );
  const onToggle = useStable((id: string): void =>
    setHidden((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    }),
  );
  const onLight = useStable((key: string, about: LayoutFinding['at']): void => {
    if (light?.key === key) {
      setLight(null);
      return;
    }
    setLight({ key, about });
    if (mode === 'table' || (about.kind === 'host' && mode === 'datastore')) setMode('host');
    if (about.kind === 'datastore' && mode !== 'both') setMode('datastore');
    const vms =
      about.kind === 'host'
        ? view.hostByRef.get(about.ref)?.vms
        : about.kind === 'datastore'
          ? view.datastoreByRef.get(about.ref)?.vms
          : undefined;
    const first =
      vms?.[0]?.key ?? [...aboutOf(view, about)].find((one) => view.byKey.has(one) && !isHead(one));
    if (first !== undefined) choose({ ...selection, active: first });
  });
  return (
    // Undo and redo work wherever the focus is in the designer, fields apart.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of what is inside, not of the box
    <div className={classes.frame} onKeyDown={boardKeys.anywhere}>
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
          actions={actions}
          search={search}
          onGenerate={() => open('generate')}
          onNames={() => open('names')}
        />
        <Text className={classes.said} role="status" aria-label="What was done">
          {edits.said === ''
            ? 'Arrows walk, Space chooses, Enter moves to a host or LUN, ? tells all keys.'
            : edits.said}
        </Text>
        {mode !== 'table' && view.tiles.length > 0 && (
          <Legend workloads={view.workloads} hidden={hidden} onToggle={onToggle} />
        )}
      </div>
      <div className={classes.boards}>
        {mode === 'table' ? (
          table
        ) : view.tiles.length === 0 ? (
          <Text size="sm" c="dimmed">
            There is no tile yet: Generate lays out as many as wanted.
          </Text>
        ) : (
          <Stack gap={8}>
            {mode !== 'datastore' &&
              board(
                'host',
                mode === 'both' ? 'max(260px, 34vh)' : 'max(300px, calc(100dvh - 344px))',
              )}
            {mode !== 'host' &&
              board(
                'datastore',
                mode === 'both' ? 'max(260px, 34vh)' : 'max(300px, calc(100dvh - 344px))',
              )}
          </Stack>
        )}
      </div>
      <div className={classes.side}>
        <ForecastPanel
          forecast={settled}
          findings={findings}
          lit={light?.key ?? null}
          onLight={onLight}
        />
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
          pattern={layoutOf(testbed).namePattern}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}
