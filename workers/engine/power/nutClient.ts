import { connect, type Socket } from 'node:net';

import type { AppError } from '../../../src/core/base/errors.ts';
import { fail } from '../../../src/core/base/errors.ts';
import { sayCode } from '../../../src/core/base/systemWords.ts';

const maxLineBytes = 4_096;

/** A NUT server's answer `ERR <code>`, as the protocol names it. */
export class NutRefusal extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`ERR ${code}`);
    this.code = code;
  }
}

export interface NutClient {
  /**
   * Sends one command and gives its one-line answer. Throws NutRefusal for `ERR`, AppError
   * unreachable or timedOut.
   */
  ask(command: string, signal?: AbortSignal): Promise<string>;
  /** Lines between `BEGIN LIST …` and `END LIST …`. */
  list(command: string, signal?: AbortSignal): Promise<string[]>;
  close(): void;
}

interface NutAddress {
  host: string;
  port: number;
  /** To connect, and for each answer. */ timeoutMs: number;
}

/**
 * A connection to upsd: opened when first asked, opened again after it broke; answers come in
 * order, each with a deadline.
 */
export function createNutClient(options: NutAddress): NutClient {
  const connection = createConnection(options);
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work, work);
    turn = result.catch(() => undefined);
    return result;
  };

  return {
    ask: (command, signal) =>
      inTurn(async () => (await exchange(connection, command, () => true, signal))[0]!),
    list: (command, signal) =>
      inTurn(async () => {
        const isWhole = (lines: string[]): boolean => lines.at(-1)!.startsWith('END LIST');
        return (await exchange(connection, command, isWhole, signal)).slice(1, -1);
      }),
    close: () => connection.drop(fail('aborted', 'The meter was closed.')),
  };
}

/** Who waits for lines of an answer. */
interface Waiter {
  take: (line: string) => void;
  failed: (error: Error) => void;
}
interface Connection {
  readonly address: string;
  readonly timeoutMs: number;
  /** The socket, opened where there is none. Throws AppError unreachable or timedOut. */
  open(): Promise<Socket>;
  /** Lines go to who waits longest; gives what ends the wait. */
  wait(waiter: Waiter): () => void;
  /** Ends the connection: whoever waits fails with `error`, the next one opens it anew. */
  drop(error: Error): void;
}

function createConnection({ host, port, timeoutMs }: NutAddress): Connection {
  const address = `${host}:${port}`;
  let socket: Socket | null = null;
  let opening: Promise<Socket> | null = null;
  let buffer = '';
  let waiting: Waiter[] = [];

  const drop = (error: Error): void => {
    socket?.destroy();
    socket = null;
    opening = null;
    buffer = '';
    for (const one of waiting.splice(0)) one.failed(error);
  };
  const receive = (bytes: Buffer): void => {
    buffer += bytes.toString('utf8');
    for (let at = buffer.indexOf('\n'); at >= 0; at = buffer.indexOf('\n')) {
      const line = buffer.slice(0, at);
      buffer = buffer.slice(at + 1);
      waiting[0]?.take(line);
    }
    if (buffer.length > maxLineBytes)
      drop(
        fail(
          'unreachable',
          `The NUT server ${address} sent a line over ${maxLineBytes} bytes.`,
          'Check that the port is that of a NUT server (upsd).',
        ),
      );
  };
  const connected = (): Promise<Socket> =>
    new Promise<Socket>((resolve, reject) => {
      const made = connect({ host, port });
      const timer = setTimeout(() => {
        made.destroy();
        opening = null;
        reject(
          fail(
            'timedOut',
            `The NUT server ${address} does not answer.`,
            'Check address, port and firewall.',
          ),
        );
      }, timeoutMs);
      made.once('connect', () => {
        clearTimeout(timer);
        made.setNoDelay(true);
        socket = made;
        resolve(made);
      });
      made.once('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        const words = openError(error, address);
        drop(words);
        reject(words);
      });
      made.on('close', () => {
        if (socket === made)
          drop(fail('unreachable', `The NUT server ${address} closed the connection.`));
      });
      made.on('data', receive);
    });

  return {
    address,
    timeoutMs,
    drop,
    open: () => (socket ? Promise.resolve(socket) : (opening ??= connected())),
    wait(waiter) {
      waiting.push(waiter);
      return () => {
        waiting = waiting.filter((one) => one !== waiter);
      };
    },
  };
}

/** Collects lines of one answer until `isWhole` says so. */
async function exchange(
  connection: Connection,
  command: string,
  isWhole: (lines: string[]) => boolean,
  signal?: AbortSignal,
): Promise<string[]> {
  const { address, timeoutMs } = connection;
  const made = await connection.open();
  return new Promise<string[]>((resolve, reject) => {
    const lines: string[] = [];
    let endWait = (): void => undefined;
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      endWait();
    };
    const failed = (error: Error): void => {
      finish();
      reject(error);
    };
    // An answer that comes too late must not be taken for the next one's: the connection is
    // opened anew.
    const timer = setTimeout(() => {
      failed(
        fail(
          'timedOut',
          `The NUT server ${address} did not answer ${command} within ${timeoutMs} ms.`,
        ),
      );
      connection.drop(fail('timedOut', `The NUT server ${address} stopped answering.`));
    }, timeoutMs);
    const aborted = (): void => {
      failed(fail('aborted', 'The reading was cancelled.'));
      connection.drop(fail('aborted', 'The reading was cancelled.'));
    };
    const take = (line: string): void => {
      if (line.startsWith('ERR ')) {
        failed(new NutRefusal(line.slice(4).trim()));
        return;
      }
      lines.push(line);
      if (isWhole(lines)) {
        finish();
        resolve(lines);
      }
    };
    if (signal?.aborted) {
      aborted();
      return;
    }
    signal?.addEventListener('abort', aborted, { once: true });
    endWait = connection.wait({ take, failed });
    made.write(`${command}\n`);
  });
}

function openError(error: NodeJS.ErrnoException, address: string): AppError {
  if (error.code === 'ECONNREFUSED')
    return fail(
      'unreachable',
      `Nothing listens at ${address}.`,
      'Start upsd there and check LISTEN in upsd.conf.',
      { step: 'port' },
    );
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return fail('unreachable', `The name in ${address} is not known.`, 'Correct the address.', {
      step: 'name',
    });
  return fail(
    'unreachable',
    `The NUT server ${address} ${sayCode(error.code ?? '') ?? `cannot be reached: ${error.message}`}`,
    'Check address, port and firewall.',
    { step: 'port' },
  );
}
