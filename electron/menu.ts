import { Menu, type MenuItemConstructorOptions } from 'electron';

import { type CommandSpec, commandSpecs } from '../src/wire/desktop.ts';

const groups: readonly CommandSpec['group'][] = [
  'File',
  'Go',
  'Run',
  'History',
  'Lab',
  'View',
  'Help',
];

/** The native menu, from the same list as palette and shortcuts. */
export function buildMenu(
  run: (commandId: string) => void,
  platform: NodeJS.Platform = process.platform,
): Menu {
  const items = (group: CommandSpec['group']): MenuItemConstructorOptions[] =>
    commandSpecs
      .filter((spec) => spec.group === group)
      .map((spec) => ({
        id: spec.id,
        label: spec.title,
        click: () => run(spec.id),
        // The page handles the keys itself: shown here, not registered twice.
        // Keys of one screen are plain letters: as an accelerator they would be lost to typing.
        ...(spec.shortcut && spec.on === undefined
          ? { accelerator: acceleratorOf(spec.shortcut), registerAccelerator: false }
          : {}),
      }));
  const extra: Partial<Record<CommandSpec['group'], MenuItemConstructorOptions[]>> = {
    File: [{ type: 'separator' }, { role: platform === 'darwin' ? 'close' : 'quit' }],
    View: [
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      { role: 'toggleDevTools' },
    ],
  };
  return Menu.buildFromTemplate([
    ...(platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    ...groups
      .slice(0, 1)
      .map((group) => ({ label: group, submenu: [...items(group), ...(extra[group] ?? [])] })),
    { role: 'editMenu' as const },
    ...groups
      .slice(1)
      .map((group) => ({ label: group, submenu: [...items(group), ...(extra[group] ?? [])] })),
  ]);
}

/** `mod+shift+n` → `CommandOrControl+Shift+N`. */
function acceleratorOf(shortcut: string): string {
  return shortcut
    .split('+')
    .map((key) =>
      key === 'mod'
        ? 'CommandOrControl'
        : key.length === 1
          ? key.toUpperCase()
          : `${key[0]!.toUpperCase()}${key.slice(1)}`,
    )
    .join('+');
}
