import { Alert, List, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';

import type { TestReport } from '../../../wire/contract/connections.ts';

const stepWords: Readonly<Record<TestReport['steps'][number]['step'], string>> = {
  name: 'Name',
  port: 'Port',
  tls: 'Transport',
  pin: 'Fingerprint',
  authentication: 'Authentication',
  permission: 'Permission',
  reading: 'Reading',
  refresh: 'Refresh',
};

/** Each step of a test with what was seen, and what to do about the one that failed. */
export function TestSteps({ report }: { report: TestReport }) {
  return (
    <Alert
      color={report.ok ? 'green' : 'red'}
      title={
        report.ok
          ? 'The connection works'
          : `Failed at: ${stepWords[report.steps.find((s) => !s.ok)?.step ?? 'name']}`
      }
      role="status"
    >
      <List spacing={4} size="sm" listStyleType="none">
        {report.steps.map(({ step, ok, detail, fix }, index) => (
          <List.Item
            key={`${step}-${index}`}
            icon={
              <ThemeIcon size={18} radius="xl" color={ok ? 'green.8' : 'red.8'}>
                {ok ? <IconCheck size={12} aria-hidden /> : <IconX size={12} aria-hidden />}
              </ThemeIcon>
            }
          >
            <Text size="sm">
              <b>{`${stepWords[step]}: ${ok ? 'ok' : 'failed'}.`}</b>
              {` ${detail}`}
            </Text>
            {fix && <Text size="sm">{fix}</Text>}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
