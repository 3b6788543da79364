import { parentPort, workerData } from 'node:worker_threads';

import { toAppError } from '../src/core/base/errors.ts';
import { createEventHub } from '../src/wire/eventHub.ts';
import { portFromMessagePort } from '../src/wire/ports.ts';
import { serve } from '../src/wire/serve.ts';
import { checksOutputs } from './checksOutputs.ts';
import { createDemoDeps } from './demoDeps.ts';
import type { DemoThreadData, FromDemo, ToDemo } from './demoMessages.ts';
import { createEngine } from './engine/engine.ts';
import { hearUnheard } from './unheard.ts';

/**
 * The engine of the simulated workspace in a thread of its own, so that its computing never stalls
 * the real one.
 */
async function main(): Promise<void> {
  const { dataDir, resourcesDir, version, host } = workerData as DemoThreadData;
  const simulated = createDemoDeps({ dataDir, resourcesDir, version, host });
  const { deps } = simulated;
  // Of this thread alone: the process hears nothing of it, and the thread would end.
  hearUnheard(process, (reason) =>
    deps.log.error('A promise failed and nobody listened', { reason }),
  );
  const hub = createEventHub((thrown) =>
    deps.log.error('An event could not be delivered', { thrown }),
  );
  const engine = await createEngine(deps, hub.emit);
  parentPort?.on('message', (message: ToDemo) => {
    if (message.k === 'port') {
      serve(portFromMessagePort(message.port), engine.handlers, hub.subscribe, {
        onInternal: (method, thrown) => deps.log.error(`${method} failed`, { thrown }),
        checksOutputs,
      });
      return;
    }
    // Open ports would keep the thread alive; their pages are going anyway.
    void engine.close().then(
      () => {
        simulated.close();
        process.exit(0);
      },
      (thrown: unknown) => {
        deps.log.error('The simulated workspace did not end in order', { thrown });
        process.exit(1);
      },
    );
  });
  tell({ k: 'ready' });
}

const tell = (message: FromDemo): void => {
  parentPort?.postMessage(message);
};

main().catch((thrown: unknown) => {
  const { message, hint } = toAppError(thrown);
  tell({ k: 'failed', message, ...(hint ? { hint } : {}) });
  parentPort?.close();
});
