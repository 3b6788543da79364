import { useMemo, useState } from 'react';

import type { Forecast, LayoutFinding } from '../../../core/layout/layoutTypes.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { ClientFacts, LayoutView } from '../../../core/testbed/layoutModel.ts';
import { layoutView } from '../../../core/testbed/layoutView.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { flaggedKeys } from './about.ts';
import { boardColumns } from './boardColumns.ts';
import type { BoardColumn } from './BoardHead.tsx';
import { type BoardFilter, type ColumnFilter, shownTiles } from './filter.ts';
import type { Axis } from './geometry.ts';

/**
 * The testbed as the board shows it. Tiles and columns that an edit left alone stay the same
 * objects, so that only what changed is drawn again.
 */
export function useLayoutView(
  testbed: Testbed,
  inventory: Inventory | null,
  profile: Profile,
  clients: readonly ClientFacts[],
): LayoutView {
  // What was made last, for its identities only: the same input gives an equal view with or without
  // it.
  const [make] = useState(() => {
    let last: LayoutView | undefined;
    return (
      ...[bed, stock, of, from]: [Testbed, Inventory | null, Profile, readonly ClientFacts[]]
    ): LayoutView => (last = layoutView(bed, stock, of, from, last));
  });
  return useMemo(
    () => make(testbed, inventory, profile, clients),
    [make, testbed, inventory, profile, clients],
  );
}

/** What passes the filter: tiles by their number, and the columns of both boards. */
export function useShown(
  view: LayoutView,
  figures: Forecast,
  findings: readonly LayoutFinding[],
  filter: BoardFilter,
  clientNames: ReadonlyMap<string, string>,
): { rows: readonly number[]; columns: Readonly<Record<Axis, readonly BoardColumn[]>> } {
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
  const host = useColumns(view, figures, 'host', filter.columns),
    datastore = useColumns(view, figures, 'datastore', filter.columns);
  return { rows, columns: { host, datastore } };
}

/** Columns of a board; those whose figures stay keep their identity. */
function useColumns(
  view: LayoutView,
  forecast: Forecast,
  axis: Axis,
  filter: ColumnFilter,
): readonly BoardColumn[] {
  const [make] = useState(() => {
    let last = new Map<string, BoardColumn>();
    return (...input: [LayoutView, Forecast, Axis, ColumnFilter]): BoardColumn[] => {
      const columns = boardColumns(...input, last);
      last = new Map(columns.map((column) => [column.ref, column]));
      return columns;
    };
  });
  return useMemo(() => make(view, forecast, axis, filter), [make, view, forecast, axis, filter]);
}
