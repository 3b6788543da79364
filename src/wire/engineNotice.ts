import type { AppErrorShape } from '../core/base/errors.ts';
import { isChanged } from './changedPart.ts';
import { type EngineLife, isHeld, killAfterMs, noticeAfterMs } from './engineLife.ts';

/** What a host tells its user about the engine, and what can be done about it. */
export interface EngineNotice {
  message: string;
  detail: string;
  /** In the order of their buttons. `nothing` closes the notice, `copy` leaves it open. */
  choices: readonly { label: string; act: 'retry' | 'wait' | 'quit' | 'copy' | 'nothing' }[];
}

const quit = { label: 'Quit', act: 'quit' } as const;

/** null = all is well, or it passes by itself. */
export function noticeOf(life: EngineLife): EngineNotice | null {
  if (life.phase === 'stopping' || life.phase === 'stopped') return null;
  if (life.waiting)
    return {
      message: 'Waiting for the other Tilebench to let go of the data folder',
      detail: 'This one goes on as soon as the folder is free.',
      choices: [quit],
    };
  if (life.phase === 'unresponsive')
    return life.readyMs === null
      ? {
          message: 'The engine has been starting for more than a minute',
          detail:
            'A large database may be on its way to a new version. Nothing is lost by waiting.',
          choices: [
            { label: 'Wait', act: 'nothing' },
            { label: 'Start it again', act: 'retry' },
            quit,
          ],
        }
      : {
          message: 'The engine does not answer',
          detail:
            `It has been silent for more than ${noticeAfterMs / 1_000} s, and is started again ` +
            `when it stays silent for ${killAfterMs / 1_000} s. Load on clients goes on ` +
            'meanwhile.',
          choices: [
            { label: 'Wait', act: 'nothing' },
            { label: 'Start it again', act: 'retry' },
          ],
        };
  if (life.phase !== 'failed' || life.error === null) return null;
  if (isChanged(life.error))
    return {
      message: 'A part of Tilebench was changed, and is not used',
      detail: wordsOf(life.error),
      choices: [quit, { label: 'Copy details', act: 'copy' }],
    };
  return isHeld(life.error)
    ? {
        message: 'Another Tilebench holds the data folder',
        detail: wordsOf(life.error),
        choices: [{ label: 'Wait for it', act: 'wait' }, quit],
      }
    : {
        message: 'The engine cannot start',
        detail: wordsOf(life.error),
        choices: [
          { label: 'Try again', act: 'retry' },
          quit,
          { label: 'Copy details', act: 'copy' },
        ],
      };
}

/**
 * What a page in a browser is told: it can ask for a new start, and cannot end the program that
 * serves it.
 */
export function noticeForPage(life: EngineLife): EngineNotice | null {
  const notice = noticeOf(life);
  return (
    notice && {
      ...notice,
      choices: notice.choices.filter(
        ({ act }) => act === 'nothing' || (act === 'retry' && life.phase === 'unresponsive'),
      ),
    }
  );
}

const wordsOf = ({ message, hint }: AppErrorShape): string =>
  hint === undefined ? message : `${message}\n\n${hint}`;
