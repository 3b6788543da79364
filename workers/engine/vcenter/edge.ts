import type { VCenterConnection } from '../../../src/core/testbed/connection.ts';
import type { Clock, Log } from '../deps.ts';
import type { VCenterEdge } from '../deps/vcenter.ts';
import { readIdentity } from '../tls/probe.ts';
import type { Endpoint } from '../tls/tls.ts';
import { type Core, createCore } from './core.ts';
import { testVCenter } from './probe.ts';
import { createSession } from './session.ts';
import { createTransport } from './transport.ts';

const endpointOf = ({ name, host, port, fingerprint256 }: VCenterConnection): Endpoint => ({
  what: 'vCenter',
  name,
  host,
  port,
  fingerprint256,
});

/** The vCenter edge over HTTPS and SOAP. */
export function createVCenterEdge(deps: { clock: Clock; log: Log }): VCenterEdge {
  const coreOf = (connection: VCenterConnection, password: string): Core =>
    createCore(deps, connection, password, createTransport(endpointOf(connection)));
  return {
    identify: (connection, signal) => readIdentity(endpointOf(connection), signal),
    test: (connection, password, signal) =>
      testVCenter(endpointOf(connection), coreOf(connection, password), signal),
    async connect(connection, password, signal) {
      const core = coreOf(connection, password);
      try {
        await core.login(signal);
      } catch (error) {
        await core.logout();
        throw error;
      }
      return createSession(core);
    },
  };
}
