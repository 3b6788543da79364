import { getHotkeyHandler } from '@mantine/hooks';
import { useEffect, useRef } from 'react';

import { commandSpecs } from '../../wire/desktop.ts';

type Handlers = Readonly<Record<string, () => void>>;
/** Open screens, the last opened at the end. */
const screens: { current: Handlers }[] = [];

/** Runs a command of the screen on show; false where no open screen has it. */
export function runPageCommand(id: string): boolean {
  const handler = screens.findLast((one) => one.current[id] !== undefined)?.current[id];
  handler?.();
  return handler !== undefined;
}

const noText = ['checkbox', 'radio', 'button', 'submit', 'range'];
/** Where a plain letter is text, or an open dialog has the keys. */
function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null
  )
    return true;
  return (
    target.tagName === 'TEXTAREA' ||
    target.tagName === 'SELECT' ||
    (target instanceof HTMLInputElement && !noText.includes(target.type))
  );
}

/**
 * Commands of this screen while it is open: by their keys of the one list of commands, from the
 * palette and from the menu.
 */
export function usePageCommands(handlers: Handlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    screens.push(latest);
    const keys = getHotkeyHandler(
      commandSpecs.flatMap(({ id, shortcut, on }) =>
        on !== undefined && shortcut !== undefined && latest.current[id] !== undefined
          ? [[shortcut, () => latest.current[id]?.()] as [string, () => void]]
          : [],
      ),
    );
    const listen = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && !takesKeys(event.target)) keys(event);
    };
    document.addEventListener('keydown', listen);
    return () => {
      document.removeEventListener('keydown', listen);
      screens.splice(screens.indexOf(latest), 1);
    };
  }, []);
}
