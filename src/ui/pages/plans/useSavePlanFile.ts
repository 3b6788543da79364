import { notifications } from '@mantine/notifications';

import type { Plan, PlanFile } from '../../../core/plan/plan.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { useConnectionListQuery } from '../../engine/api.ts';
import { useDesktop } from '../../engine/services.ts';

/** Connections a testbed uses, jump hosts included. */
function usedConnections(testbed: Testbed, connections: readonly Connection[]): Connection[] {
  const used = new Set([
    testbed.vcenterId,
    ...testbed.powerIds,
    ...testbed.tiles.flatMap((tile) => tile.workloads.map((w) => w.clientId)),
  ]);
  for (let size = -1; size !== used.size;) {
    size = used.size;
    for (const c of connections)
      if (used.has(c.id) && c.kind === 'client' && c.jumpId) used.add(c.jumpId);
  }
  return connections.filter((c) => used.has(c.id));
}

/**
 * Writes a plan with its testbed and connections as one file, for the command line or another
 * machine, and says how to launch it there. Secrets stay behind as references.
 */
export function useSavePlanFile(): (plan: Plan, testbed: Testbed) => Promise<void> {
  const desktop = useDesktop();
  const { data: connections = [] } = useConnectionListQuery({});
  return async (plan, testbed) => {
    const file: PlanFile = {
      tilebenchPlan: 1,
      plan,
      testbed,
      connections: usedConnections(testbed, connections),
    };
    const name = `${plan.name.replace(/[^A-Za-z0-9._-]+/g, '-')}.plan.json`;
    const saved = await desktop.saveFile(
      name,
      (async function* text() {
        yield `${JSON.stringify(file, null, 2)}\n`;
      })(),
    );
    if (saved !== null)
      notifications.show({
        color: 'green',
        title: `Saved as ${saved}`,
        message: `It holds no secret. Without a window: npx tilebench run ${saved}`,
      });
  };
}
