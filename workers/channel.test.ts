import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { resolve } from 'node:path';
import { MessageChannel } from 'node:worker_threads';

import { WebSocket, WebSocketServer } from 'ws';

import {
  createClient,
  createEventHub,
  memoryPorts,
  type Port,
  portFromMessagePort,
  serve,
} from '../src/shared/channel.ts';
import type { Client } from '../src/shared/contract.ts';
import type { AppError } from '../src/shared/errors.ts';
import { portFromStream } from '../src/shared/framePort.ts';
import { portFromWebSocket } from '../src/shared/webSocketPort.ts';
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
    expect(states).toEqual(['closed']);
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
