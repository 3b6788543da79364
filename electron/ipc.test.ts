import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Answer = (event: unknown, ...args: unknown[]) => unknown;
const handled = new Map<string, Answer>();
const heard = new Map<string, Answer>();
const withWindow = new Set<unknown>();

jest.mock('electron', () => ({
  ipcMain: {
    handle: (channel: string, answer: Answer) => handled.set(channel, answer),
    on: (channel: string, hear: Answer) => heard.set(channel, hear),
  },
  BrowserWindow: {
    fromWebContents: (contents: unknown) => (withWindow.has(contents) ? {} : null),
  },
}));

import { answerPage, hearPage, hearPageAhead } from './ipc.ts';
import { pageOrigin } from './page.ts';

const own = `${pageOrigin}/index.html`;
/** A message from the top frame of a window at `url`, or as `from` changes it. */
function eventFrom(
  url: string,
  from: { window?: boolean; frame?: 'top' | 'inner' | 'gone' } = {},
): unknown {
  const mainFrame = { url };
  const sender = { mainFrame };
  if (from.window !== false) withWindow.add(sender);
  const { frame = 'top' } = from;
  return { sender, senderFrame: frame === 'gone' ? null : frame === 'top' ? mainFrame : { url } };
}

const strangers: readonly [string, unknown][] = [
  ['another page', eventFrom('https://example.org/')],
  ['a file', eventFrom('file:///tmp/index.html')],
  ['an address that begins as ours', eventFrom(`${own}.example`)],
  ['another host of our scheme', eventFrom('tilebench-ui://other/index.html')],
  ['a frame within the page', eventFrom(own, { frame: 'inner' })],
  ['a frame that is gone', eventFrom(own, { frame: 'gone' })],
  ['contents without a window', eventFrom(own, { window: false })],
];
const owners: readonly [string, unknown][] = [
  ['the page', eventFrom(own)],
  ['the page at a route of another workspace', eventFrom(`${own}?workspace=simulated#/runs`)],
];

test.each(strangers)('%s gets no answer and is not heard', (_who, event) => {
  const act = jest.fn();
  const complained = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  answerPage('asked', act);
  hearPage('told', act);
  expect(() => handled.get('asked')?.(event, 1)).toThrow('for the pages of Tilebench only');
  heard.get('told')?.(event, 1);
  expect([act.mock.calls.length, complained.mock.calls.length]).toEqual([0, 1]);
  complained.mockRestore();
});

test.each(owners)('%s is answered and heard', (_who, event) => {
  const act = jest.fn(() => 'yes');
  answerPage('asked', act);
  hearPage('told', act);
  expect(handled.get('asked')?.(event, 1)).toBe('yes');
  heard.get('told')?.(event, 2);
  expect(act.mock.calls).toEqual([
    [event, 1],
    [event, 2],
  ]);
});

test('no file but this one listens to pages', () => {
  const others = readdirSync(__dirname).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'ipc.ts',
  );
  expect(others.length).toBeGreaterThan(5);
  expect(
    others.filter((name) => /\bipcMain\b/.test(readFileSync(join(__dirname, name), 'utf8'))),
  ).toEqual([]);
});

test('what a page says before anybody acts on it is kept, in order, and a stranger is not', () => {
  const act = hearPageAhead('ahead');
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  heard.get('ahead')!(eventFrom(own), 'first');
  heard.get('ahead')!(eventFrom('https://example.org/'), 'stranger');
  heard.get('ahead')!(eventFrom(own), 'second');
  write.mockRestore();
  const said: unknown[] = [];
  act((_event, what) => said.push(what));
  heard.get('ahead')!(eventFrom(own), 'third');
  expect(said).toEqual(['first', 'second', 'third']);
});
