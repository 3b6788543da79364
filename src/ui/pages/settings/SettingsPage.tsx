import { Anchor, SegmentedControl, Stack, Text, Title, useMantineColorScheme } from '@mantine/core';
import { Link } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { useAppInfoQuery } from '../../engine/api.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { Table } from '../../kit/Table.tsx';
import { Updates } from './Updates.tsx';

/** Theme, and the facts of the engine. */
export function SettingsPage() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { data, error, refetch } = useAppInfoQuery({});
  return (
    <Stack gap="lg" maw={760}>
      <Title order={1}>Settings</Title>
      <Stack gap={8} align="flex-start">
        <Title order={2} id="theme">
          Theme
        </Title>
        <SegmentedControl
          aria-labelledby="theme"
          value={colorScheme}
          onChange={(value) => setColorScheme(value)}
          data={[
            { value: 'auto', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </Stack>
      <Stack gap={8} align="flex-start">
        <Title order={2}>Benchmark profiles</Title>
        <Text size="sm">
          What a tile holds, how it is scored, which limits hold: shipped, and of your own.
        </Text>
        <Anchor component={Link} to="/profiles" size="sm">
          Open profiles
        </Anchor>
      </Stack>
      <Stack gap={8} align="flex-start">
        <Title order={2}>Stored runs</Title>
        <Text size="sm">
          Storage used, and a rule that removes or thins what is old. It is off until switched on.
        </Text>
        <Anchor component={Link} to="/runs?storage=1" size="sm">
          Storage and retention
        </Anchor>
      </Stack>
      <Updates />
      <Stack gap={8}>
        <Title order={2}>Engine</Title>
        {error ? (
          <Failure
            title="The engine does not answer"
            error={error as AppErrorShape}
            onRetry={() => void refetch()}
          />
        ) : !data ? (
          <Pending label="engine facts" rows={4} />
        ) : (
          <Table fz="sm" aria-label="Engine facts">
            <Table.Tbody>
              {(
                [
                  ['Version', data.version, 'mono'],
                  [
                    'Host',
                    { electron: 'Desktop', browser: 'Browser', cli: 'Command line', test: 'Test' }[
                      data.host
                    ],
                  ],
                  ['Node', data.node, 'mono'],
                  [
                    'Workspace',
                    data.workspace === 'simulated'
                      ? 'SIMULATED, with a database of its own'
                      : 'Real lab',
                  ],
                  ['Data folder', data.dataDir, 'mono'],
                  [
                    'Secrets',
                    data.secrets === 'keychain'
                      ? "In the operating system's keychain"
                      : 'For this session only: no keychain was found, nothing is written to disk',
                  ],
                ] as const
              ).map(([label, value, face = '']) => (
                <Table.Tr key={label}>
                  <Table.Th w={160} scope="row">
                    {label}
                  </Table.Th>
                  <Table.Td className={face} style={{ userSelect: 'text' }}>
                    {value}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
      <Text size="xs" c="dimmed">
        Tilebench runs scaling studies. It calls no result a VMmark score.
      </Text>
    </Stack>
  );
}
