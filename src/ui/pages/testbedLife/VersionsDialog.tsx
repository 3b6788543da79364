import { Box, Button, Group, Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRobot, IconUser } from '@tabler/icons-react';
import { useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { diffTestbeds } from '../../../core/testbed/testbedDiff.ts';
import type { TestbedVersion } from '../../../wire/contract/testbeds.ts';
import {
  useTestbedRestoreMutation,
  useTestbedVersionQuery,
  useTestbedVersionsQuery,
} from '../../engine/api.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { Table } from '../../kit/Table.tsx';
import { DifferenceTable } from './DifferenceTable.tsx';
import { useNameOf } from './useNameOf.ts';

interface Props {
  /** As it is stored now. */ testbed: Testbed;
  opened: boolean;
  onClose: () => void;
  onRestored?: (testbed: Testbed) => void;
  /** There are changes on the page that are not saved. */ edited?: boolean;
}

/**
 * Earlier states of a testbed: what differs from now, and the way back. Going back is a new
 * version, so it can be undone the same way.
 */
export function VersionsDialog({ opened, onClose, ...rest }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="min(1100px, 94vw)"
      title={`Versions of ${rest.testbed.name}`}
      closeButtonProps={{ 'aria-label': 'Close versions' }}
      transitionProps={{ duration: 0 }}
    >
      {opened && <Versions {...rest} onClose={onClose} />}
    </Modal>
  );
}

function Versions({ testbed, onClose, onRestored, edited = false }: Omit<Props, 'opened'>) {
  const { data, error, refetch } = useTestbedVersionsQuery({ id: testbed.id });
  const [chosen, setChosen] = useState<number | null>(null);
  if (error)
    return (
      <Failure
        title="Versions cannot be listed"
        error={error as AppErrorShape}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <Pending label="versions" />;
  const earlier = data.filter((one) => !one.current);
  const version = chosen ?? earlier[0]?.version ?? null;
  return (
    <Group align="flex-start" gap="lg" wrap="wrap">
      <Box style={{ flex: '1 1 340px', minWidth: 0 }}>
        <Table.ScrollContainer
          minWidth={320}
          maxHeight={480}
          scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Versions, scrollable' } }}
        >
          <Table
            aria-label="Versions"
            stickyHeader
            fz="sm"
            verticalSpacing={4}
            style={{ fontVariantNumeric: 'tabular-nums' }}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Version</Table.Th>
                <Table.Th>Saved</Table.Th>
                <Table.Th ta="right">Tiles</Table.Th>
                <Table.Th ta="right">VMs</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.map((one) => (
                <Table.Tr
                  key={one.version}
                  {...(one.version === version && { bg: 'var(--tb-hover)' })}
                >
                  <Table.Td>
                    {one.current ? (
                      <Text span inherit fw={600}>{`${one.version}, current`}</Text>
                    ) : (
                      <UnstyledButton
                        fz="sm"
                        td="underline"
                        aria-pressed={one.version === version}
                        onClick={() => setChosen(one.version)}
                      >{`Version ${one.version}`}</UnstyledButton>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <SavedBy version={one} />
                  </Table.Td>
                  <Table.Td ta="right">{one.tiles}</Table.Td>
                  <Table.Td ta="right">{one.assignedVms}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Box>
      <Box style={{ flex: '2 1 480px', minWidth: 0 }}>
        {version === null ? (
          <Nothing text="There is no earlier version yet. Each save keeps the one before it." />
        ) : (
          <Comparison
            testbed={testbed}
            version={version}
            edited={edited}
            onRestored={(restored) => {
              onRestored?.(restored);
              onClose();
            }}
          />
        )}
      </Box>
    </Group>
  );
}

function SavedBy({ version: { savedAtMs, by } }: { version: TestbedVersion }) {
  const By = by === 'provisioning' ? IconRobot : IconUser;
  return (
    <Group gap={6} wrap="nowrap">
      <By size={14} aria-hidden style={{ flexShrink: 0 }} />
      <span>
        {(savedAtMs === null ? 'time not kept' : formatDateTime(savedAtMs)) +
          (by === 'provisioning' ? ', by provisioning' : '')}
      </span>
    </Group>
  );
}

function Comparison({
  testbed,
  version,
  edited,
  onRestored,
}: {
  testbed: Testbed;
  version: number;
  edited: boolean;
  onRestored: (testbed: Testbed) => void;
}) {
  const {
    data: earlier,
    error,
    isFetching,
    refetch,
  } = useTestbedVersionQuery({ id: testbed.id, version });
  const [restore, restoring] = useTestbedRestoreMutation();
  const nameOf = useNameOf();
  if (error)
    return (
      <Failure
        title={`Version ${version} cannot be read`}
        error={error as AppErrorShape}
        onRetry={() => void refetch()}
      />
    );
  if (!earlier || (isFetching && earlier.version !== version))
    return <Pending label={`version ${version}`} />;
  const differences = diffTestbeds(earlier, testbed, nameOf);
  const goBack = async (): Promise<void> => {
    const restored = await restore({ id: testbed.id, version });
    if (restored.error) return;
    notifications.show({
      color: 'green',
      message: `Version ${version} is back, as version ${restored.data.version}. Version ${testbed.version} is kept.`,
    });
    onRestored(restored.data);
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={600}>
          {`${counted(differences.length, 'difference')} from version ${version} to the current ` +
            `version ${testbed.version}`}
        </Text>
        <Button
          size="xs"
          disabled={differences.length === 0 || edited}
          loading={restoring.isLoading}
          title={
            edited
              ? 'There are changes that are not saved: save or drop them first.'
              : `Saves version ${version} once more as the newest. Nothing is lost.`
          }
          onClick={() => void goBack()}
        >{`Restore version ${version}`}</Button>
      </Group>
      {edited && (
        <Text size="sm">
          Changes on the page are not saved and not part of this comparison. Save or drop them
          before a version is restored.
        </Text>
      )}
      <DifferenceTable differences={differences} before={`Version ${version}`} after="Current" />
    </Stack>
  );
}
