import { Socket } from 'node:net';

import { createEventHub } from '../../src/wire/eventHub.ts';
import { portFromStream } from '../../src/wire/framePort.ts';
import { serve } from '../../src/wire/serve.ts';
import { contractHandlers } from './contractHandlers.ts';

/**
 * The far end of the contract suite in a process of its own. It emits what a message of the test
 * asks for.
 */
const hub = createEventHub((thrown) => {
  throw thrown;
});
const seen = { aborted: 0, calls: [] as string[] };
const port = portFromStream(new Socket({ fd: 3 }), (thrown) => {
  throw thrown;
});
port.onMessage((data) => {
  if (typeof data !== 'object' || data === null || !('test' in data)) return;
  if (data.test === 'emit' && 'from' in data && 'to' in data) {
    for (let i = Number(data.from); i < Number(data.to); i += 1)
      hub.emit('run.samples', { runId: 'r', batch: Float64Array.of(i) });
    hub.emit('notice', { level: 'info', text: 'last' });
  }
  if (data.test === 'seen') port.post({ test: 'seen', seen });
});
serve(port, contractHandlers(seen), hub.subscribe);
