import { type BrowserWindow, dialog } from 'electron';

import type { EngineLife } from '../src/wire/engineLife.ts';
import { type EngineNotice, noticeOf } from '../src/wire/engineNotice.ts';

export interface EngineNotices {
  /** Shows what this life asks to be told, and takes back what no longer holds. */
  show(life: EngineLife): void;
  /** Brings up again what still holds, for who starts the application a second time. */
  again(): void;
}

/**
 * Notices about the engine in boxes of the system: they need no page, and no engine. One at a time.
 */
export function tellEngine(options: {
  window(): BrowserWindow | null;
  act(choice: 'retry' | 'wait' | 'quit'): void;
  /** Puts a notice on the clipboard, with what is known beside it. */
  copy(said: string): void;
}): EngineNotices {
  let shown: { notice: EngineNotice; close: AbortController } | null = null;
  let last: EngineLife | null = null;

  async function open(notice: EngineNotice): Promise<void> {
    const close = new AbortController();
    const mine = (shown = { notice, close });
    const box = {
      type: 'warning' as const,
      title: 'Tilebench',
      message: notice.message,
      detail: notice.detail,
      buttons: notice.choices.map(({ label }) => label),
      defaultId: 0,
      // Closing the box by Escape quits only where nothing else is offered.
      cancelId: 0,
      noLink: true,
      signal: close.signal,
    };
    const window = options.window();
    const { response } = await (window === null
      ? dialog.showMessageBox(box)
      : dialog.showMessageBox(window, box));
    if (close.signal.aborted) return;
    if (shown === mine) shown = null;
    const act = notice.choices[response]?.act ?? 'nothing';
    if (act === 'copy') {
      options.copy(`${notice.message}\n${notice.detail}`);
      void open(notice);
    } else if (act !== 'nothing') options.act(act);
  }

  const show = (life: EngineLife): void => {
    last = life;
    const notice = noticeOf(life);
    if (shown !== null && notice !== null && shown.notice.message === notice.message) return;
    shown?.close.abort();
    shown = null;
    if (notice !== null) void open(notice);
  };
  return {
    show,
    again() {
      if (shown === null && last !== null) show(last);
    },
  };
}
