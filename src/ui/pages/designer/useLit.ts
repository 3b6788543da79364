import { useMemo, useState } from 'react';

import type { LayoutFinding } from '../../../core/layout/layoutTypes.ts';
import type { LayoutView } from '../../../core/testbed/layoutModel.ts';
import { aboutOf, vmsAt } from './about.ts';
import { isHead, type Selection } from './selection.ts';
import type { BoardMode } from './Toolbar.tsx';
import { useStable } from './useStable.ts';

interface Input {
  view: LayoutView;
  mode: BoardMode;
  onMode: (mode: BoardMode) => void;
  selection: Selection;
  choose: (selection: Selection) => void;
}

/**
 * What the panel's pressed line is about, lit on the boards. Pressing one shows the board that has
 * it and scrolls there; pressing it again puts the light out.
 */
export function useLit({ view, mode, onMode, selection, choose }: Input): {
  /** Key of the line that is pressed, or null. */ litKey: string | null;
  lit: ReadonlySet<string>;
  onLight: (key: string, about: LayoutFinding['at']) => void;
} {
  const [light, setLight] = useState<{ key: string; about: LayoutFinding['at'] } | null>(null);
  const lit = useMemo(
    () => (light ? aboutOf(view, light.about) : new Set<string>()),
    [view, light],
  );
  const onLight = useStable((key: string, about: LayoutFinding['at']): void => {
    if (light?.key === key) {
      setLight(null);
      return;
    }
    setLight({ key, about });
    if (mode === 'table' || (about.kind === 'host' && mode === 'datastore')) onMode('host');
    if (about.kind === 'datastore' && mode !== 'both') onMode('datastore');
    const first =
      vmsAt(view, about)?.[0]?.key ??
      [...aboutOf(view, about)].find((one) => view.byKey.has(one) && !isHead(one));
    if (first !== undefined) choose({ ...selection, active: first });
  });
  return { litKey: light?.key ?? null, lit, onLight };
}
