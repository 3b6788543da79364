import { connect, type Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';

import { fail } from '../../../../src/core/base/errors.ts';
import { sayCode } from '../../../../src/core/base/systemWords.ts';

export interface LineClient {
  /** Sends a line and gives the next `count(first)` lines: 1, or as many as the first one says. */
  ask(command: string, more: (first: string) => number, signal?: AbortSignal): Promise<string[]>;
  close(): void;
}

/** PTDaemon may take 17 s to start a meter on USB. */
const answerMs = 25_000;
const longestLine = 4_000;
const mostLines = 10_000;

/** One connection: questions in turn, answers in lines. One that breaks is not used again. */
export async function openLines(
  host: string,
  port: number,
  signal?: AbortSignal,
): Promise<LineClient> {
  const peer = `PTDaemon ${host}:${port}`;
  const socket = await connected(host, port, peer, signal);
  const reader: Interface = createInterface({ input: socket });
  const lines: string[] = [];
  let wake: (() => void) | null = null;
  let ended: Error | null = null;
  const end = (words: string): void => {
    ended ??= fail('unreachable', `${peer} ${words}.`, 'Check that PTDaemon runs; start it again.');
    socket.destroy();
    wake?.();
  };
  reader.on('line', (line) => {
    if (line.length > longestLine || lines.length > mostLines) end('sends more than was asked for');
    else lines.push(line.trim());
    wake?.();
  });
  socket.on('error', (error: NodeJS.ErrnoException) =>
    end(sayCode(error.code ?? '') ?? 'broke off'),
  );
  socket.on('close', () => end('closed the connection'));

  const next = async (until: AbortSignal): Promise<string> => {
    while (lines.length === 0) {
      if (ended) throw ended;
      if (until.aborted) {
        // A late answer must not be taken for the next one's.
        end('does not answer');
        throw fail(
          'timedOut',
          `${peer} does not answer.`,
          'Its meter may be away: start PTDaemon again.',
        );
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        until.addEventListener('abort', () => resolve(), { once: true });
      });
      wake = null;
    }
    return lines.shift()!;
  };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ask(command, more, caller) {
      const work = async (): Promise<string[]> => {
        if (ended) throw ended;
        const limit = AbortSignal.timeout(answerMs);
        const until = caller ? AbortSignal.any([caller, limit]) : limit;
        socket.write(`${command}\r\n`);
        const answer = [await next(until)];
        const count = Math.min(more(answer[0]!), mostLines);
        while (answer.length <= count) answer.push(await next(until));
        return answer;
      };
      const result = turn.then(work, work);
      turn = result.catch(() => undefined);
      return result;
    },
    close() {
      ended ??= fail('aborted', `${peer} was left.`);
      socket.end();
      socket.unref();
    },
  };
}

function connected(
  host: string,
  port: number,
  peer: string,
  signal?: AbortSignal,
): Promise<Socket> {
  const limit = AbortSignal.timeout(10_000);
  const until = signal ? AbortSignal.any([signal, limit]) : limit;
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    const giveUp = (): void => {
      socket.destroy();
      reject(fail('timedOut', `${peer} does not answer.`, 'Check address, port and firewall.'));
    };
    until.addEventListener('abort', giveUp, { once: true });
    socket.once('connect', () => {
      until.removeEventListener('abort', giveUp);
      resolve(socket);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      until.removeEventListener('abort', giveUp);
      reject(
        fail(
          'unreachable',
          `${peer} ${sayCode(error.code ?? '') ?? 'cannot be reached'}.`,
          'Check that PTDaemon runs, its address, port and firewall.',
        ),
      );
    });
  });
}
