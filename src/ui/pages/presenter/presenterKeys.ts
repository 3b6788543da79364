/**
 * What a key does in the presenter view. Clickers send Page keys, some of them F5, a full stop and
 * Escape.
 */
export type PresenterAction =
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'pause'
  | 'blank'
  | 'faster'
  | 'slower'
  | 'fullScreen'
  | 'retry'
  | 'whatIf'
  | 'notes'
  | 'help'
  | 'leave';

const keys: Readonly<Record<string, PresenterAction>> = {
  ArrowRight: 'next',
  ArrowDown: 'next',
  PageDown: 'next',
  Enter: 'next',
  n: 'next',
  ArrowLeft: 'previous',
  ArrowUp: 'previous',
  PageUp: 'previous',
  Backspace: 'previous',
  p: 'previous',
  Home: 'first',
  End: 'last',
  ' ': 'pause',
  b: 'blank',
  '.': 'blank',
  '+': 'faster',
  '=': 'faster',
  '-': 'slower',
  _: 'slower',
  f: 'fullScreen',
  F5: 'fullScreen',
  r: 'retry',
  w: 'whatIf',
  s: 'notes',
  '?': 'help',
  h: 'help',
  Escape: 'leave',
};

/**
 * The action of a key press; null = not the presenter's, among them everything with Ctrl, Alt or
 * Meta.
 */
export function presenterAction(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>,
): PresenterAction | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  return keys[event.key] ?? keys[event.key.toLowerCase()] ?? null;
}

/** The same keys in words, for the help. */
export const keyHelp: readonly (readonly [keys: string, does: string])[] = [
  ['→ or Page Down', 'Next slide or step'],
  ['← or Page Up', 'Previous slide or step'],
  ['Home, End', 'First, last'],
  ['Space', 'Pause or go on'],
  ['+ and −', 'Time faster, slower'],
  ['B or .', 'Blank screen, and back'],
  ['F', 'Full screen, and back'],
  ['R', 'Try again what failed'],
  ['W', 'What if: change the simulated lab'],
  ['S', 'Speaker notes in a window for the second screen'],
  ['?', 'This help'],
  ['Esc', 'Leave'],
];
