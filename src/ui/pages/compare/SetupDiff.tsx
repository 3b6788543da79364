import { List, ScrollArea, Text } from '@mantine/core';
import { Fragment } from 'react';

import type { Comparison } from '../../../core/compare/index.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { RunKey } from './RunKey.tsx';

const effectWords: Readonly<Record<Comparison['setup'][number]['effect'], string>> = {
  strong: 'strong',
  moderate: 'moderate',
  slight: 'slight',
  none: 'none known',
};
const shownSubjects = 6;

/**
 * Set-up of the runs: only what differs, by group, the group with the strongest likely effect
 * first.
 */
export function SetupDiff({ comparison: { runs, names, setup } }: { comparison: Comparison }) {
  if (setup.length === 0)
    return (
      <Text size="sm" c={dim}>
        Nothing recorded of the set-up differs.
      </Text>
    );
  const groups = [...new Set(setup.map((s) => s.group))];
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Set-up, scrollable' }}>
      <Table aria-label="Set-up that differs" verticalSpacing={2} fz="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={130}>Group</Table.Th>
            <Table.Th miw={190}>What</Table.Th>
            {runs.map((r, i) => (
              <Table.Th key={r.id} miw={170}>
                <span style={{ display: 'inline-flex', gap: 6, alignItems: 'center' }}>
                  <RunKey index={i} name={names[i]!} origin={r.origin} />
                </span>
              </Table.Th>
            ))}
            <Table.Th miw={130} title="On results, in this app's judgement">
              Likely effect
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map((group) => (
            <Fragment key={group}>
              {setup
                .filter((s) => s.group === group)
                .map((s, i) => (
                  <Table.Tr key={s.label}>
                    <Table.Td fw={600} style={{ verticalAlign: 'top' }}>
                      {i === 0 ? group : ''}
                    </Table.Td>
                    <Table.Th scope="row" fw={400} style={{ verticalAlign: 'top' }}>
                      {s.label}
                      {s.subjects.length > 0 && s.subjects.length <= 40 && (
                        <Subjects subjects={s.subjects} />
                      )}
                    </Table.Th>
                    {s.values.map((value, run) => (
                      <Table.Td
                        key={runs[run]?.id ?? run}
                        fw={run > 0 && value !== s.values[0] ? 600 : undefined}
                        style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}
                      >
                        <Text span inherit lineClamp={4} title={value}>
                          {value}
                        </Text>
                      </Table.Td>
                    ))}
                    <Table.Td style={{ verticalAlign: 'top' }}>
                      {effectWords[s.effect]}
                      {s.why !== '' && <Text span size="xs" c={dim}>{`: ${s.why}`}</Text>}
                    </Table.Td>
                  </Table.Tr>
                ))}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

function Subjects({ subjects }: { subjects: Comparison['setup'][number]['subjects'] }) {
  const rest = subjects.length - shownSubjects;
  return (
    <List size="xs" c={dim} spacing={0}>
      {subjects.slice(0, shownSubjects).map((s) => (
        <List.Item key={s.name}>{`${s.name}: ${s.values.join(', ')}`}</List.Item>
      ))}
      {rest > 0 && <List.Item>{`and ${rest} more`}</List.Item>}
    </List>
  );
}
