import { presenterAction } from './presenterKeys.ts';

const press = (
  key: string,
  change: Partial<KeyboardEvent> = {},
): ReturnType<typeof presenterAction> =>
  presenterAction({ key, ctrlKey: false, altKey: false, metaKey: false, ...change });

test.each([
  ['ArrowRight', 'next'],
  ['PageDown', 'next'],
  ['ArrowLeft', 'previous'],
  ['PageUp', 'previous'],
  [' ', 'pause'],
  ['b', 'blank'],
  ['B', 'blank'],
  ['.', 'blank'],
  ['+', 'faster'],
  ['-', 'slower'],
  ['?', 'help'],
  ['Escape', 'leave'],
  ['F', 'fullScreen'],
  ['F5', 'fullScreen'],
  ['Home', 'first'],
  ['w', 'whatIf'],
  ['x', null],
  ['Tab', null],
])('%s: %s', (key, action) => {
  expect(press(key)).toBe(action);
});

test('keys with Ctrl, Alt or Meta stay with the desktop', () => {
  expect([
    press('b', { ctrlKey: true }),
    press('ArrowLeft', { altKey: true }),
    press('f', { metaKey: true }),
  ]).toEqual([null, null, null]);
});
