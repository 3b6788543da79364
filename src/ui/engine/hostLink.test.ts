import type { EngineNotice } from '../../wire/engineNotice.ts';
import { createHostLink, type HostLink, type HostState } from './hostLink.ts';

const notice: EngineNotice = {
  message: 'The engine does not answer',
  detail: 'It is started again.',
  choices: [{ label: 'Start it again', act: 'retry' }],
};
type Told = { data?: string };
class FakeSocket {
  readonly sent: string[] = [];
  closed = false;
  readonly #listeners = new Map<string, (event: Told) => void>();
  addEventListener(type: string, listener: (event: Told) => void): void {
    this.#listeners.set(type, listener);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
    this.tell('close');
  }
  tell(type: string, data?: string): void {
    this.#listeners.get(type)?.(data === undefined ? {} : { data });
  }
}

let sockets: FakeSocket[];
let status: number | null;
let asked: number;
let timers: { act: () => void; ms: number }[];
let seen: HostState[];
let link: HostLink;
beforeEach(() => {
  sockets = [];
  timers = [];
  seen = [];
  asked = 0;
  status = 200;
  link = createHostLink(
    {
      location: { protocol: 'http:', host: '127.0.0.1:7450' },
      fetch: async () => {
        asked += 1;
        if (status === null) throw new TypeError('Failed to fetch');
        return { status };
      },
      setTimeout: (act, ms) => timers.push({ act, ms }),
      clearTimeout: () => {
        timers = [];
      },
    },
    () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
  );
  link.onChange((state) => seen.push(state));
});
const last = (): FakeSocket => sockets.at(-1)!;
const tell = (words: EngineNotice | null): void => {
  last().tell('open');
  last().tell('message', JSON.stringify({ notice: words }));
};
/** The connection is lost, and what follows at once is over. */
async function lose(): Promise<void> {
  last().tell('close');
  await new Promise((done) => setTimeout(done));
}
const later = async (): Promise<number> => {
  const { act, ms } = timers.shift()!;
  act();
  await new Promise((done) => setTimeout(done));
  return ms;
};

test('the host tells of its engine, and is asked for a new start', () => {
  tell(notice);
  tell(null);
  expect(seen).toEqual([
    { kind: 'there', notice },
    { kind: 'there', notice: null },
  ]);
  link.retry();
  expect(last().sent).toEqual(['{"act":"retry"}']);
});

test('a host that goes away is told with its last words, asked for ever, and found again', async () => {
  tell(notice);
  status = null;
  await lose();
  expect(seen.at(-1)).toEqual({ kind: 'away', last: notice });
  const pauses: number[] = [];
  for (let i = 0; i < 7; i += 1) {
    pauses.push(await later());
    await lose();
  }
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  await later();
  tell(null);
  expect(seen.at(-1)).toEqual({ kind: 'there', notice: null });
  // The next loss begins with the short pause again.
  await lose();
  expect(await later()).toBe(250);
});

test('a host that does not know this browser: told, asked by plain requests only, and connected with a new ticket', async () => {
  tell(null);
  status = 401;
  await lose();
  expect(seen.at(-1)).toEqual({ kind: 'shut' });
  await later();
  await later();
  expect([sockets.length, asked]).toEqual([1, 3]);
  status = 200;
  await later();
  expect(link.state()).toEqual({ kind: 'shut' });
  await later();
  expect(sockets).toHaveLength(2);
  tell(null);
  expect(link.state()).toEqual({ kind: 'there', notice: null });
});

test('a page that goes asks no more', async () => {
  tell(null);
  link.close();
  await new Promise((done) => setTimeout(done));
  expect([last().closed, asked, timers.length]).toEqual([true, 0, 0]);
});
