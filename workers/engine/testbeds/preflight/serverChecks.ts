import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import { noLoginFix, noLoginText, serversOf } from '../../runs/servers.ts';
import { overSsh } from './clientChecks.ts';
import { placeOf } from './places.ts';
import { defineCheck } from './types.ts';

export const serverLogins = defineCheck({
  id: 'client.servers',
  title: 'Logins where a run starts servers of its loads',
  run: async (context, signal) =>
    Promise.all(
      serversOf(context.units, context.db.connections.list()).map(
        async (placed): Promise<CheckFinding> => {
          const { unit, server, loginId } = placed;
          const about = {
            id: 'client.servers',
            title: `Tile ${unit.tile + 1} ${unit.workload.name}: ${server.name} on ${server.address}`,
            subject: `${server.name} of tile ${unit.tile + 1} ${unit.workload.name} on ${server.address}`,
            source: loginId === null ? 'Connections' : overSsh(context.nameOf(loginId)),
            ...placeOf(context, unit, server.blames),
          };
          if (loginId === null)
            return {
              ...about,
              severity: 'block',
              evidence: noLoginText(placed),
              fix: noLoginFix,
            };
          const host = await context.peers.client(loginId);
          await host.exec('true', { signal });
          return { ...about, severity: 'ok', evidence: 'answers; the run starts it there' };
        },
      ),
    ),
});
