import { Alert, Stack } from '@mantine/core';
import { IconAlertTriangle, IconFlask, IconInfoCircle, IconPlayerTrackNext } from '@tabler/icons-react';
import type { RunOverview } from '../../shared/run.ts';

interface Props { overview: RunOverview; resultName: string; minimumHosts: number; hostCount: number | null }

/** What must be known before a number of this run is quoted: origin, compliance, what the result may be called. */
export function RunMarks({ overview, resultName, minimumHosts, hostCount }: Props) {
  const { origin, verdict } = overview;
  return (
    <Stack gap={8}>
      {origin === 'simulated' && <Alert p="xs" color="grape" icon={<IconFlask aria-hidden />} title="SIMULATED">Every number comes from the model of the simulated lab, none from real machines.</Alert>}
      {origin === 'replay' && <Alert p="xs" color="grape" icon={<IconPlayerTrackNext aria-hidden />} title="REPLAY">A stored run played again. Nothing is measured now.</Alert>}
      {verdict?.compliant === false && <Alert p="xs" color="orange" icon={<IconAlertTriangle aria-hidden />} title="Not compliant">The result does not follow the rules of its profile. The findings say where.</Alert>}
      {hostCount !== null && hostCount < minimumHosts && <Alert p="xs" color="orange" icon={<IconAlertTriangle aria-hidden />} title="Too few hosts">{`${hostCount} of at least ${minimumHosts} hosts the profile asks for.`}</Alert>}
      {verdict !== null && <Alert p="xs" color="gray" icon={<IconInfoCircle aria-hidden />} title={`Result: ${resultName}`}>Ratios to reference values, comparable with runs of the same profile and references only. Not a published benchmark result.</Alert>}
    </Stack>
  );
}
