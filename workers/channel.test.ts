import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { resolve } from 'node:path';
import { MessageChannel } from 'node:worker_threads';

import { WebSocket, WebSocketServer } from 'ws';

import type { AppError } from '../src/core/base/errors.ts';
import { createClient } from '../src/wire/channel.ts';
import type { Client } from '../src/wire/contract.ts';
import { appVersion, contractVersion } from '../src/wire/contract/version.ts';
import { createEventHub } from '../src/wire/eventHub.ts';
import { portFromStream } from '../src/wire/framePort.ts';
import { memoryPorts, type Port, portFromMessagePort } from '../src/wire/ports.ts';
import { serve } from '../src/wire/serve.ts';
import { portFromWebSocket } from '../src/wire/webSocketPort.ts';
import { contractHandlers } from './testing/contractHandlers.ts';

interface Far {
  emit(from: number, to: number): void;
  seen(): Promise<{ aborted: number; calls: string[] }>;
}
interface Link {
  near: Port;
  far: Far;
  kill(): void;
  release(): Promise<void>;
}

/** Serves the contract on a port of this process. */
function serveHere(port: Port): Far {
  const seen = { aborted: 0, calls: [] as string[] };
  const hub = createEventHub((thrown) => {
    throw thrown;
  });
  serve(port, contractHandlers(seen), hub.subscribe);
  return {
    emit(from, to) {
      for (let i = from; i < to; i += 1)
        hub.emit('run.samples', { runId: 'r', batch: Float64Array.of(i) });
      hub.emit('notice', { level: 'info', text: 'last' });
    },
    seen: async () => seen,
  };
}

const links: Record<string, () => Promise<Link>> = {
  async memory() {
    const [near, far] = memoryPorts();
    return { near, far: serveHere(far), kill: () => far.close(), release: async () => undefined };
  },
  async messageChannel() {
    const { port1, port2 } = new MessageChannel();
    const near = portFromMessagePort(port1);
    const far = portFromMessagePort(port2);
    return {
      near,
      far: serveHere(far),
      kill: () => port2.close(),
      release: async () => {
        near.close();
        far.close();
      },
    };
  },
  async webSocket() {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[WebSocket]>;
    const near = portFromWebSocket(
      new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
    const [socket] = await connected;
    return {
      near,
      far: serveHere(portFromWebSocket(socket)),
      kill: () => socket.terminate(),
      release: async () => {
        near.close();
        socket.terminate();
        await new Promise((done) => {
          server.close(done);
        });
      },
    };
  },
  async childProcess() {
    const child = spawn(
      resolve('node_modules/node/bin/node'),
      [resolve('workers/testing/contractChild.ts')],
      { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] },
    );
    const port = portFromStream(child.stdio[3] as Socket, (thrown) => {
      throw thrown;
    });
    const exited = once(child, 'exit');
    return {
      near: port,
      far: {
        emit: (from, to) => port.post({ test: 'emit', from, to }),
        seen: () =>
          new Promise((done) => {
            port.onMessage((data) => {
              if (typeof data === 'object' && data !== null && 'seen' in data)
                done(data.seen as { aborted: number; calls: string[] });
            });
            port.post({ test: 'seen' });
          }),
      },
      kill: () => {
        child.kill('SIGKILL');
      },
      release: async () => {
        child.kill('SIGKILL');
        await exited;
      },
    };
  },
};

const failure = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => {
      throw new Error('It did not fail.');
    },
    (thrown: unknown) => thrown as AppError,
  );

/** What comes over a port, one after the other. */
function repliesOf(port: Port): () => Promise<unknown> {
  const come: unknown[] = [];
  let wake = (): void => undefined;
  port.onMessage((data) => {
    come.push(data);
    wake();
  });
  return async () => {
    while (come.length === 0)
      await new Promise<void>((done) => {
        wake = done;
      });
    return come.shift();
  };
}

describe.each(Object.keys(links))('the contract over %s', (name) => {
  let link: Link;
  let client: Client;
  beforeEach(async () => {
    link = await links[name]!();
    client = createClient(link.near);
  });
  afterEach(async () => {
    await link.release();
  });

  test('round trip with typed arrays and defaults', async () => {
    expect((await client.call('app.info', {})).version).toBe('1');
    const [series] = await client.call('run.samples', { runId: 'r', seriesIds: [7] });
    expect(series!.tMs).toEqual(Float64Array.of(1, 2.5, Number.MAX_SAFE_INTEGER));
    expect(series!.value).toEqual(Float64Array.of(-0.5, Number.NaN, 1e300));
    expect((await link.far.seen()).calls).toEqual(['run.samples 2000']);
  });

  test('a failure keeps its kind, hint and details; an unknown throw is internal without its stack', async () => {
    expect((await failure(client.call('run.remove', { id: 'r1' }))).toShape?.()).toEqual({
      kind: 'conflict',
      message: 'Run r1 is active.',
      hint: 'Abort it first.',
      details: { runId: 'r1', rev: 3 },
    });
    const internal = await failure(client.call('run.record', { id: 'r1' }));
    expect(internal.kind).toBe('internal');
    expect(JSON.stringify(internal.toShape())).not.toContain('at ');
  });

  test('input is refused at the engine, with its path', async () => {
    const error = await failure(client.call('run.samples', { runId: 'r', seriesIds: [0.5] }));
    expect([error.kind, error.message]).toEqual([
      'invalidInput',
      expect.stringMatching(/^run\.samples: seriesIds\.0: /),
    ]);
    expect((await failure(client.call('run.steal' as 'run.list', {}))).kind).toBe('invalidInput');
    expect((await failure(client.call('__proto__' as 'run.list', {}))).kind).toBe('invalidInput');
    expect((await link.far.seen()).calls).toEqual([]);
  });

  test('an abort reaches the handler', async () => {
    const controller = new AbortController();
    const call = failure(client.call('run.abort', { id: 'r' }, controller.signal));
    await client.call('run.list', {});
    controller.abort();
    expect((await call).kind).toBe('aborted');
    await client.call('run.list', {});
    expect(await link.far.seen()).toEqual({
      aborted: 1,
      calls: ['run.abort', 'run.list', 'run.list'],
    });
    expect((await failure(client.call('run.list', {}, controller.signal))).kind).toBe('aborted');
  });

  test('a closed port rejects what is open and what comes later', async () => {
    const states: string[] = [];
    client.onState((state) => states.push(state));
    const open = failure(client.call('run.abort', { id: 'r' }));
    await client.call('run.list', {});
    link.kill();
    expect((await open).kind).toBe('unreachable');
    expect((await failure(client.call('run.list', {}))).kind).toBe('unreachable');
    expect(states.at(-1)).toBe('closed');
  });

  test('events arrive in order', async () => {
    const values: number[] = [];
    client.follow('r');
    // Answered after what was sent before it was taken.
    await client.call('app.info', {});
    client.on('run.samples', ({ batch }) => values.push(batch[0]!));
    const last = new Promise((done) => {
      client.on('notice', done);
    });
    link.far.emit(0, 40);
    await last;
    expect(values).toEqual(Array.from({ length: 40 }, (_, i) => i));
  });

  test('a flood drops samples, never the last word, and tells of the gap', async () => {
    let values = 0;
    client.follow('r');
    // Answered after what was sent before it was taken.
    await client.call('app.info', {});
    client.on('run.samples', () => {
      values += 1;
    });
    const last = new Promise((done) => {
      client.on('notice', done);
    });
    const gap = new Promise<string>((done) => {
      client.onGap(done);
    });
    link.far.emit(0, 5_000);
    await last;
    expect(await gap).toBe('r');
    expect(values).toBeLessThan(5_000);
    expect(values).toBeGreaterThanOrEqual(64);
  });
});

describe.each(Object.keys(links))('messages over %s', (name) => {
  let link: Link;
  let replies: () => Promise<unknown>;
  beforeEach(async () => {
    link = await links[name]!();
    replies = repliesOf(link.near);
  });
  afterEach(async () => {
    await link.release();
  });

  test('each end says hello first, with its versions', async () => {
    link.near.post({ k: 'call', id: 1, method: 'run.list', input: {} });
    expect(await replies()).toMatchObject({ k: 'failed', id: 1, error: { kind: 'invalidInput' } });
    link.near.post({ k: 'hello', contract: contractVersion, version: appVersion });
    expect(await replies()).toEqual({ k: 'hello', contract: contractVersion, version: appVersion });
    link.near.post({ k: 'call', id: 1, method: 'run.list', input: {} });
    expect(await replies()).toEqual({ k: 'done', id: 1, output: [] });
    link.near.post({ k: 'ping' });
    expect(await replies()).toEqual({ k: 'pong' });
  });

  test('who speaks another contract is told so in words at each call, and gets no event', async () => {
    link.near.post({ k: 'hello', contract: 'feed', version: '0.0.9' });
    expect(await replies()).toMatchObject({ k: 'hello', contract: contractVersion });
    link.far.emit(0, 1);
    link.near.post({ k: 'call', id: 1, method: 'run.list', input: {} });
    const come = [await replies()];
    while ((come.at(-1) as { id: unknown }).id !== 1) come.push(await replies());
    expect(come.filter((one) => (one as { k: string }).k === 'event')).toEqual([]);
    expect(come.at(-1)).toEqual({
      k: 'failed',
      id: 1,
      error: {
        kind: 'conflict',
        message: `This page or program is of another version than the engine: 0.0.9 (contract feed) against ${appVersion} (contract ${contractVersion}).`,
        hint: 'Reload the page, or update the program.',
      },
    });
    link.near.post({ k: 'hello', contract: null, version: 'of no contract' });
    expect(await replies()).toMatchObject({ k: 'hello' });
    link.near.post({ k: 'call', id: 2, method: 'run.list', input: {} });
    expect(await replies()).toMatchObject({ k: 'done', id: 2 });
  });

  test('a message that is none is answered with what is wrong', async () => {
    link.near.post({ k: 'call', id: 7, method: 'run.list', input: {}, urgent: true });
    expect(await replies()).toMatchObject({
      k: 'failed',
      id: 7,
      error: { kind: 'invalidInput', message: expect.stringContaining('"urgent"') },
    });
    for (const [sent, path] of [
      [null, 'input'],
      [{ k: 'shout' }, 'k'],
      [{ k: 'follow', runId: '', follows: true }, 'runId'],
      [{ k: 'ack', n: -1 }, 'n'],
    ] as const) {
      link.near.post(sent);
      expect(await replies()).toMatchObject({
        k: 'failed',
        id: null,
        error: { message: expect.stringContaining(`${path}: `) },
      });
    }
  });
});

describe('a client', () => {
  const engineThatSays = (contract: string): [Client, Port] => {
    const [near, far] = memoryPorts();
    far.onMessage((data) => {
      const { k } = data as { k: string };
      if (k === 'hello') far.post({ k: 'hello', contract, version: '9' });
    });
    return [createClient(near), far];
  };
  test.each([
    [contractVersion, 'open'],
    ['feed', 'otherVersion'],
  ])('says of an engine of contract %s that the link is %s', async (contract, state) => {
    const [client] = engineThatSays(contract);
    expect(await new Promise((done) => client.onState(done))).toBe(state);
  });

  test('asks for signs of life, and gives up an engine that is silent for a minute', async () => {
    const [near, far] = memoryPorts();
    let pings = 0;
    let nowMs = 0;
    let look = (): void => undefined;
    let stopped = false;
    far.onMessage((data) => {
      if ((data as { k: string }).k !== 'ping') return;
      pings += 1;
      if (nowMs < 100_000) far.post({ k: 'pong' });
    });
    const client = createClient(near, {
      clock: {
        now: () => nowMs,
        every: (_ms, act) => {
          look = act;
          return () => {
            stopped = true;
          };
        },
      },
    });
    const states: string[] = [];
    client.onState((state) => states.push(state));
    const call = failure(client.call('run.list', {}));
    const pass = async (toMs: number): Promise<void> => {
      for (; nowMs < toMs; nowMs += 500) {
        look();
        await new Promise((done) => setImmediate(done));
      }
    };
    await pass(100_000);
    expect([pings, states]).toEqual([49, []]);
    // The computer sleeps for an hour: that is no silence.
    nowMs += 3_600_000;
    await pass(nowMs + 59_000);
    expect(states).toEqual([]);
    await pass(nowMs + 3_000);
    expect([states, stopped]).toEqual([['closed'], true]);
    expect((await call).kind).toBe('unreachable');
  });
});

describe('where outputs are checked', () => {
  const served = (runs: unknown): { client: Client; emit: (payload: unknown) => void } => {
    const [near, far] = memoryPorts();
    const hub = createEventHub((thrown) => {
      throw thrown;
    });
    serve(far, { ...contractHandlers(), 'run.list': async () => runs as never }, hub.subscribe, {
      checksOutputs: true,
    });
    return { client: createClient(near), emit: (payload) => hub.emit('notice', payload as never) };
  };
  test('one that does not fit is an error with method and path', async () => {
    expect(await served([]).client.call('run.list', {})).toEqual([]);
    expect(await failure(served([{ id: 7 }]).client.call('run.list', {}))).toMatchObject({
      kind: 'internal',
      message: expect.stringMatching(/^The output of run\.list does not fit: 0\.id: /),
    });
  });
  test('an event that does not fit is thrown back, also for a key too many', async () => {
    const { client, emit } = served([]);
    await client.call('run.list', {});
    expect(() => emit({ level: 'info', text: 'x' })).not.toThrow();
    expect(() => emit({ level: 'info', text: 'x', sound: 'bell' })).toThrow(
      'The event notice does not fit: input: Unrecognized key: "sound".',
    );
  });
});
