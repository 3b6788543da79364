import { createInterface } from 'node:readline';

import { toAppError } from '../../../../src/core/base/errors.ts';
import { lockFolder } from '../lock.ts';

/**
 * Says `pid` and its number, then obeys lines: `take <folder>` is answered `got` or with the
 * refusal, `drop` with `dropped`. Ends with its stdin.
 */
let unlock: (() => void) | null = null;
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
createInterface(process.stdin).on('line', (line) => {
  if (line === 'drop') {
    unlock?.();
    unlock = null;
    say('dropped');
    return;
  }
  try {
    unlock = lockFolder(line.slice('take '.length));
    say('got');
  } catch (thrown) {
    const { kind, message } = toAppError(thrown);
    say(`${kind}: ${message}`);
  }
});
say(`pid ${process.pid}`);
