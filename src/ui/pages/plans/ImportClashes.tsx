import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';

import { counted } from '../../../core/base/counted.ts';
import { visibleText } from '../../../core/base/visibleText.ts';
import { decideAll } from '../../../core/planImport/decide.ts';
import type { ImportClash, ImportDecision } from '../../../core/planImport/schema.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

interface Props {
  clashes: readonly ImportClash[];
  decisions: Readonly<Record<string, ImportDecision>>;
  onDecide: (decisions: Record<string, ImportDecision>) => void;
}

const words: Readonly<Record<ImportDecision, string>> = {
  keep: 'Keep mine',
  new: 'New id',
  replace: 'Replace',
};
const kinds: Readonly<Record<ImportClash['kind'], string>> = {
  connection: 'Connection',
  profile: 'Profile',
  testbed: 'Testbed',
  plan: 'Plan',
  study: 'Study',
};
const maxFields = 6;

/**
 * Ids of the file that are taken here by something else: what differs, and what is to be done about
 * each.
 */
export function ImportClashes({ clashes, decisions, onDecide }: Props) {
  return (
    <Stack gap={6} component="section" aria-label="Stored already">
      <Group justify="space-between">
        <Text fw={600} size="sm">
          {`Stored already with other content (${clashes.length})`}
        </Text>
        {clashes.length > 1 && (
          <Group gap={6}>
            {(['keep', 'new', 'replace'] as const).map((decision) => (
              <Button
                key={decision}
                size="compact-xs"
                variant="default"
                onClick={() => onDecide(decideAll({ clashes: [...clashes] }, decision))}
              >
                {`${words[decision]}: all`}
              </Button>
            ))}
          </Group>
        )}
      </Group>
      <Table.ScrollContainer
        minWidth={640}
        maxHeight={300}
        scrollAreaProps={{
          viewportProps: { tabIndex: 0, 'aria-label': 'Stored already, scrollable' },
        }}
      >
        <Table aria-label="Stored already" stickyHeader fz="sm" verticalSpacing={4} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="26%">Stored here</Table.Th>
              <Table.Th>Stored → in the file</Table.Th>
              <Table.Th w={270}>What to do</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {clashes.map((clash) => (
              <Table.Tr key={clash.key}>
                <Table.Td>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {visibleText(clash.mine)}
                  </Text>
                  <Text size="xs" c={dim}>
                    {kinds[clash.kind]} <span className="mono">{visibleText(clash.id)}</span>
                  </Text>
                </Table.Td>
                <Table.Td>
                  {clash.fields.slice(0, maxFields).map(({ field, mine, theirs }) => (
                    <Text key={field} size="xs" style={{ overflowWrap: 'anywhere' }}>
                      {visibleText(`${field}: ${mine} → ${theirs}`)}
                    </Text>
                  ))}
                  {clash.fields.length > maxFields && (
                    <Text size="xs" c={dim}>
                      {`and ${counted(clash.fields.length - maxFields, 'more difference')}`}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <SegmentedControl
                    size="xs"
                    fullWidth
                    aria-label={`What to do with ${clash.kind} ${clash.id}`}
                    value={decisions[clash.key] ?? ''}
                    onChange={(value) => onDecide({ [clash.key]: value as ImportDecision })}
                    data={(['keep', 'new', 'replace'] as const)
                      .filter((one) => one !== 'replace' || clash.replaceable)
                      .map((value) => ({ value, label: words[value] }))}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c={dim}>
        Keep mine: the plan uses what is stored. New id: both exist. Replace: the file&apos;s takes
        its place; earlier states of a testbed stay among its versions.
      </Text>
    </Stack>
  );
}
