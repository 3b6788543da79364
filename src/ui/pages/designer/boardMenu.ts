import type { BoardContext } from './boardKeys.ts';
import type { BoardAction } from './Toolbar.tsx';

/** The menu of what can be done with what is chosen, each with its key. */
export function boardMenu({
  targets,
  open,
  toClipboard,
  commands,
}: Pick<BoardContext, 'targets' | 'open' | 'toClipboard' | 'commands'>): BoardAction[] {
  const none = targets.length === 0;
  return [
    { id: 'move', label: 'Move to…', keys: 'Enter', disabled: none, run: () => open('move') },
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
      disabled: none,
      run: () => open('client'),
    },
    {
      id: 'copy',
      label: 'Copy tiles',
      keys: 'Ctrl+C',
      disabled: none,
      run: () => toClipboard(false),
    },
    { id: 'cut', label: 'Cut tiles', keys: 'Ctrl+X', disabled: none, run: () => toClipboard(true) },
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
      disabled: none,
      run: () => commands.duplicate(targets),
    },
    {
      id: 'up',
      label: 'Move tiles up',
      keys: 'Alt+↑',
      disabled: none,
      run: () => {
        commands.shift(targets, -1);
      },
    },
    {
      id: 'down',
      label: 'Move tiles down',
      keys: 'Alt+↓',
      disabled: none,
      run: () => {
        commands.shift(targets, 1);
      },
    },
    { id: 'add', label: 'Add a tile', keys: 'Insert', disabled: false, run: commands.add },
    {
      id: 'remove',
      label: 'Remove tiles',
      keys: 'Delete',
      disabled: none,
      run: () => commands.remove(targets),
    },
  ];
}
