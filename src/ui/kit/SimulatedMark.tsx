import { Badge } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';

import { useSimulated } from '../engine/services.ts';

/**
 * SIMULATED, the one chip of a window of the simulated workspace; nothing on a real lab, but
 * `always` where what is shown was simulated elsewhere.
 */
export function SimulatedMark({ always = false }: { always?: boolean }) {
  const inLab = useSimulated();
  return always || inLab ? (
    <Badge
      color="grape"
      variant="filled"
      radius="sm"
      leftSection={<IconFlask size={12} aria-hidden />}
      style={{ flexShrink: 0 }}
      title="Every number comes from the model of the simulated lab, none from real machines."
    >
      SIMULATED
    </Badge>
  ) : null;
}
