/** `mod+shift+n` as the keys of this keyboard: Ctrl or ⌘, Shift, N. */
export function shortcutKeys(shortcut: string): string[] {
  const mac = /Mac/.test(navigator.userAgent);
  return shortcut
    .split('+')
    .map((key) =>
      key === 'mod'
        ? mac
          ? '⌘'
          : 'Ctrl'
        : key.length === 1
          ? key.toUpperCase()
          : `${key[0]!.toUpperCase()}${key.slice(1)}`,
    );
}
