import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from 'react-router';

import type { RunRecord } from '../../../../core/run/run.ts';

/** In place of the chart of a run that ended before load: what to do, as there is nothing to see. */
export function NothingMeasured({ record, onLog }: { record: RunRecord; onLog: () => void }) {
  const { findings } = record.overview;
  const fixes = findings.filter((f) => f.severity === 'block' && f.fix !== undefined);
  return (
    <Paper p="lg" component="section" aria-label="Nothing was measured">
      <Title order={2} mb={6}>
        Nothing was measured
      </Title>
      <Text size="sm">The run ended before load began.</Text>
      {fixes.length > 0 && (
        <ul style={{ margin: '8px 0 0', paddingLeft: 18 }}>
          {fixes.map(({ id, fix }) => (
            <li key={id}>
              <Text size="sm">{fix}</Text>
            </li>
          ))}
        </ul>
      )}
      <Group gap={8} mt="md">
        <Button variant="default" component={Link} to={`/plans/${record.plan.id}`}>
          Check the plan
        </Button>
        <Button variant="subtle" onClick={onLog}>
          Read the log
        </Button>
      </Group>
    </Paper>
  );
}
