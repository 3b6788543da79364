import { Socket } from 'node:net';

import { portFromStream } from '../../src/wire/framePort.ts';
import { engineFd, toEngine } from '../../src/wire/hostMessages.ts';
import { multiplex } from '../../src/wire/multiplex.ts';

/**
 * An engine's process that only lives: it says that it is ready, answers pings and stops when it is
 * asked.
 */
const carrier = portFromStream(new Socket({ fd: engineFd }), (thrown) => {
  throw thrown;
});
const lines = multiplex(carrier);
lines.onOther((data) => {
  const message = toEngine.parse(data);
  if (message.k === 'ping') lines.post({ k: 'pong' });
  if (message.k === 'stop') process.exit(0);
});
carrier.onClose(() => process.exit(1));
lines.post({ k: 'ready' });
