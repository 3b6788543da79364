import type { Client, LinkState, MethodName } from '../../wire/contract.ts';
import { api } from './api.ts';
import { askAhead } from './askAhead.ts';
import type { Services } from './bridge.ts';
import { createAppStore } from './store.ts';
import { whenAnswered } from './whenAnswered.ts';

function fakeServices() {
  const asked: MethodName[] = [];
  let tell: (state: LinkState) => void = () => undefined;
  const services = {
    workspace: { kind: 'real', open: () => undefined },
    desktop: {},
    client: {
      call: (method: MethodName) => {
        asked.push(method);
        return Promise.resolve([]);
      },
      on: () => () => undefined,
      onState(listener: typeof tell) {
        tell = listener;
        return () => undefined;
      },
    } as unknown as Client,
  } as unknown as Services;
  return { services, asked, tell: (state: LinkState) => tell(state) };
}

test('what the frame shows is asked for once of the first engine, and again of the next one', async () => {
  const { services, asked, tell } = fakeServices();
  const store = createAppStore(services);
  void askAhead(store, '#/runs');
  const frame: MethodName[] = [
    'app.info',
    'connection.list',
    'run.list',
    'plan.list',
    'testbed.list',
    'study.list',
  ];
  await whenAnswered(store);
  void store.dispatch(api.endpoints.runList.initiate({}));
  tell('open');
  await whenAnswered(store);
  expect(asked).toEqual(frame);
  tell('closed');
  tell('open');
  await whenAnswered(store);
  expect(asked).toEqual([...frame, 'run.list']);
});

test.each(['', '#', '#/'])(
  'the first page, at “%s”, has the answers that it shows before it is drawn',
  async (hash) => {
    const { services, asked } = fakeServices();
    const store = createAppStore(services);
    await askAhead(store, hash);
    expect(asked).toContain('plan.practiceLab');
    expect(api.endpoints.practiceLab.select({})(store.getState()).isSuccess).toBe(true);
  },
);
