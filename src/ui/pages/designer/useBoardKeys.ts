import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';

import { actOfKey, type BoardContext } from './boardKeys.ts';
import type { Axis } from './geometry.ts';
import type { Edits } from './useEdits.ts';

export interface BoardKeys {
  keyUp: (event: KeyboardEvent) => void;
  key: (event: KeyboardEvent, axis: Axis) => void;
  anywhere: (event: KeyboardEvent) => void;
  clipboard: (event: ClipboardEvent) => void;
}

/** The keys of the board. Everything a pointer can do has one. */
export function useBoardKeys(board: BoardContext): BoardKeys {
  const { targets, edits, commands, toClipboard } = board;
  // Some hosts turn Ctrl+C, X and V into no clipboard event here. Then the key itself acts when it
  // is let go, and an event that comes late is not done twice.
  const clip = useRef<'idle' | 'asked' | 'acted'>('idle');
  return {
    key(event, axis) {
      const ctrl = event.ctrlKey || event.metaKey;
      clip.current = ctrl && !event.shiftKey && /^[cxv]$/i.test(event.key) ? 'asked' : 'idle';
      const act = actOfKey(board, event, axis);
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    },
    anywhere: (event) => undoByKey(edits, event),
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

/** Undo and redo by their keys. */
function undoByKey(edits: Edits, event: KeyboardEvent): void {
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
}
