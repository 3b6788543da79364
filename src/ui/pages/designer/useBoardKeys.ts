import { type ClipboardEvent, type KeyboardEvent, type RefObject, useRef } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { LayoutView, SlotKey } from '../../../core/testbed/layoutModel.ts';
import type { Commands } from './boardActions.ts';
import type { OpenDialog } from './DesignerDialogs.tsx';
import { type Axis, placeOfVm } from './geometry.ts';
import { allKeys, headKey, isHead, pick, type Selection, stepped, tileOf } from './selection.ts';
import type { Edits } from './useEdits.ts';

interface Input {
  view: LayoutView;
  rows: readonly number[];
  selection: Selection;
  targets: readonly SlotKey[];
  edits: Edits;
  commands: Commands;
  choose: (selection: Selection) => void;
  open: (what: OpenDialog['what'], axis?: Axis) => void;
  zoom: number;
  zoomTo: (zoom: number) => void;
  search: RefObject<HTMLInputElement | null>;
  /** Copies or cuts what is chosen without a clipboard event. */
  toClipboard: (cut: boolean) => void;
}
interface BoardKeys {
  keyUp: (event: KeyboardEvent) => void;
  key: (event: KeyboardEvent, axis: Axis) => void;
  anywhere: (event: KeyboardEvent) => void;
  clipboard: (event: ClipboardEvent) => void;
  chooseColumn: (axis: Axis, ref: string) => void;
}

/** The keys of the board. Everything a pointer can do has one. */
export function useBoardKeys({
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
}: Input): BoardKeys {
  // Some hosts turn Ctrl+C, X and V into no clipboard event here. Then the key itself acts when it
  // is let go, and an event that comes late is not done twice.
  const clip = useRef<'idle' | 'asked' | 'acted'>('idle');
  const chooseAll = (chosen: ReadonlySet<string>, where: string): void => {
    choose({ ...selection, chosen, active: selection.active ?? [...chosen][0] ?? null });
    edits.say(`${counted(chosen.size, 'VM')} ${where} chosen.`);
  };
  const chooseColumn = (axis: Axis, ref: string): void =>
    chooseAll(
      new Set(
        rows.flatMap((tile) =>
          view.tiles[tile]!.vms.filter((vm) => (placeOfVm(axis, vm)?.ref ?? '') === ref).map(
            (vm) => vm.key,
          ),
        ),
      ),
      'of the column',
    );
  const space = (event: KeyboardEvent, axis: Axis): void => {
    const { active } = selection;
    if (active === null) return;
    const vm = isHead(active) ? undefined : view.byKey.get(active);
    if (event.ctrlKey && vm) {
      chooseColumn(axis, placeOfVm(axis, vm)?.ref ?? '');
      return;
    }
    const next = pick(
      view,
      rows,
      selection,
      event.shiftKey ? headKey(tileOf(active)) : active,
      'toggle',
    );
    choose({ ...next, active });
    edits.say(`${counted(next.chosen.size, 'VM')} chosen.`);
  };
  const shift = (by: -1 | 1): void => {
    const to = commands.shift(targets, by);
    if (to === null) return;
    // What was chosen is chosen still, under its new numbers.
    const from = Math.min(...targets.map(tileOf));
    const moved = (key: string): string =>
      `${tileOf(key) - from + to}/${key.slice(key.indexOf('/') + 1)}`;
    choose({
      chosen: new Set([...selection.chosen].map(moved)),
      active: selection.active === null ? null : moved(selection.active),
      anchor: null,
    });
  };
  const walk = (to: string, range: boolean): void => {
    if (!range) {
      choose({ ...selection, active: to, anchor: null });
      return;
    }
    const next = pick(view, rows, selection, to, 'range');
    choose(next);
    edits.say(`${counted(next.chosen.size, 'VM')} chosen.`);
  };
  const plain = (event: KeyboardEvent): (() => void) | null => {
    switch (event.key) {
      case 'm':
        return () => open('move');
      case 'v':
        return () => open('vm');
      case 'l':
        return () => open('client');
      case 'g':
        return () => open('generate');
      case 'd':
        return () => commands.duplicate(targets);
      case '+':
      case '=':
        return () => zoomTo(zoom + 1);
      case '-':
        return () => zoomTo(zoom - 1);
      case '/':
        return () => search.current?.focus();
      case '?':
        return () => open('keys');
      case 'Insert':
        return commands.add;
      case 'Delete':
        return () => commands.remove(targets);
      case 'Escape':
        return selection.chosen.size === 0
          ? null
          : () => {
              choose({ ...selection, chosen: new Set(), anchor: null });
              edits.say('Nothing is chosen.');
            };
      default:
        return null;
    }
  };
  return {
    chooseColumn,
    key(event, axis) {
      const done = (act: () => void): void => {
        event.preventDefault();
        event.stopPropagation();
        act();
      };
      const ctrl = event.ctrlKey || event.metaKey;
      clip.current = ctrl && !event.shiftKey && /^[cxv]$/i.test(event.key) ? 'asked' : 'idle';
      if (event.altKey) {
        if (event.key === 'ArrowUp') done(() => shift(-1));
        else if (event.key === 'ArrowDown') done(() => shift(1));
        return;
      }
      if (event.key === ' ') {
        done(() => space(event, axis));
        return;
      }
      if (ctrl && event.key.toLowerCase() === 'a') {
        done(() => chooseAll(allKeys(view, rows), 'of the tiles shown'));
        return;
      }
      const to = stepped(view, rows, selection.active, event.key, ctrl);
      if (to !== null) {
        done(() => walk(to, event.shiftKey));
        return;
      }
      if (event.key === 'Enter') {
        done(() => open('move', axis));
        return;
      }
      const act = ctrl ? null : plain(event);
      if (act) done(act);
    },
    anywhere(event) {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const target = event.target as HTMLElement;
      // A field has an undo of its own.
      if (target.closest('input, textarea, [contenteditable]')) return;
      const key = event.key.toLowerCase();
      if (key === 'z') {
        event.preventDefault();
        if (event.shiftKey) edits.redo();
        else edits.undo();
      } else if (key === 'y') {
        event.preventDefault();
        edits.redo();
      }
    },
    keyUp(event) {
      const key = event.key.toLowerCase();
      if (clip.current !== 'asked' || !['c', 'x', 'v'].includes(key)) return;
      clip.current = 'acted';
      if (key === 'v') commands.paste(null, targets);
      else toClipboard(key === 'x');
    },
    clipboard(event) {
      event.preventDefault();
      const late = clip.current === 'acted';
      clip.current = 'idle';
      if (late) return;
      if (event.type === 'paste') {
        commands.paste(event.clipboardData.getData('text/plain'), targets);
        return;
      }
      const text = commands.copy(targets, event.type === 'cut');
      if (text !== null) event.clipboardData.setData('text/plain', text);
    },
  };
}
