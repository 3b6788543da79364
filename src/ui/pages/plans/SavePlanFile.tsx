import { Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';

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
 * The plan with its testbed and connections as one file, for the command line or another machine.
 * Secrets stay behind as references.
 */
export function SavePlanFile({ plan, testbed }: { plan: Plan; testbed: Testbed }) {
  const desktop = useDesktop();
  const { data: connections = [] } = useConnectionListQuery({});
  const [saved, setSaved] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    const file: PlanFile = {
      tilebenchPlan: 1,
      plan,
      testbed,
      connections: usedConnections(testbed, connections),
    };
    const name = `${plan.name.replace(/[^A-Za-z0-9._-]+/g, '-')}.plan.json`;
    setSaved(
      await desktop.saveFile(
        name,
        (async function* text() {
          yield `${JSON.stringify(file, null, 2)}\n`;
        })(),
      ),
    );
  };
  return (
    <Group gap="sm">
      <Button variant="default" size="xs" onClick={() => void save()}>
        Save as plan file
      </Button>
      {saved !== null && (
        <Text size="sm">
          Launch it headless with <Code>{`npx tilebench run ${saved}`}</Code>; it holds no secret.
        </Text>
      )}
    </Group>
  );
}
