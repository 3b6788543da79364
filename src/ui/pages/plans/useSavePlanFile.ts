import { notifications } from '@mantine/notifications';

import type { Plan, PlanFile } from '../../../core/plan/plan.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { usedConnections } from '../../../core/testbed/usedConnections.ts';
import { useConnectionListQuery } from '../../engine/api.ts';
import { useDesktop } from '../../engine/services.ts';

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
