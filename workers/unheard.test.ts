import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { resolve } from 'node:path';

import { hearUnheard } from './unheard.ts';

const turn = (): Promise<unknown> => {
  const emitter = new EventEmitter();
  setImmediate(() => emitter.emit('over'));
  return once(emitter, 'over');
};

test('what is heard within its turn is not told; what is not, once', async () => {
  const source = new EventEmitter(),
    told: unknown[] = [];
  hearUnheard(source, (reason) => told.push(reason));
  const heard = Promise.resolve(),
    unheard = Promise.resolve();
  source.emit('unhandledRejection', 'soon heard', heard);
  source.emit('unhandledRejection', 'never heard', unheard);
  source.emit('rejectionHandled', heard);
  await turn();
  expect(told).toEqual(['never heard']);
  // Heard long afterwards: told already.
  source.emit('rejectionHandled', unheard);
  await turn();
  expect(told).toEqual(['never heard']);
});

test('a process with it goes on after a promise that nobody hears', () => {
  const program = `import { hearUnheard } from ${JSON.stringify(resolve('workers/unheard.ts'))}; hearUnheard(process, (reason) => console.log('unheard: ' + reason)); Promise.reject('lost'); setTimeout(() => console.log('still here'), 20);`;
  const { stdout, status } = spawnSync(
    resolve('node_modules/node/bin/node'),
    ['--input-type=module', '-e', program],
    { encoding: 'utf8' },
  );
  expect([status, stdout]).toEqual([0, 'unheard: lost\nstill here\n']);
});
