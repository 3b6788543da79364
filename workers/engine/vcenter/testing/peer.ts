import { setTimeout as delay } from 'node:timers/promises';

import { startVcsim, type Vcsim, type VcsimOptions } from '../../../../e2e/lab/vcsim.ts';
import { fail } from '../../../../src/core/base/errors.ts';
import type { VCenterConnection } from '../../../../src/core/testbed/connection.ts';
import { type Clock, silentLog } from '../../deps.ts';
import { type VCenterSession } from '../../deps/vcenter.ts';
import { createVCenterEdge } from '../edge.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    delay(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
      throw signal?.aborted ? fail('aborted', 'The wait was cancelled.') : error;
    }),
};
export const edge = createVCenterEdge({ clock: realClock, log: silentLog });

export const connectionTo = (
  vcsim: Vcsim,
  change: Partial<VCenterConnection> = {},
): VCenterConnection => ({
  kind: 'vcenter',
  id: 'vc1',
  name: 'lab',
  host: vcsim.host,
  port: vcsim.port,
  user: vcsim.user,
  password: { env: 'UNUSED' },
  fingerprint256: vcsim.fingerprint256,
  ...change,
});

export interface Bench {
  start(options?: VcsimOptions): Promise<Vcsim>;
  connect(vcsim: Vcsim): Promise<VCenterSession>;
  /** Ends what was started, in reverse. */
  cleanUp(): Promise<void>;
}
export function createBench(): Bench {
  const acts: (() => Promise<void>)[] = [];
  return {
    async start(options) {
      const vcsim = await startVcsim(options);
      acts.push(() => vcsim.stop());
      return vcsim;
    },
    async connect(vcsim) {
      const session = await edge.connect(connectionTo(vcsim), vcsim.password);
      acts.push(() => session.logout());
      return session;
    },
    async cleanUp() {
      for (let act = acts.pop(); act; act = acts.pop()) await act();
    },
  };
}
