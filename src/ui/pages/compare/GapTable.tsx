import { Anchor, Group, ScrollArea, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'react-router';

import { formatCell, formatDelta } from '../../../core/compare/index.ts';
import type { StudyComparison } from '../../../core/study/studyComparison.ts';
import { gapInterval, gapWord, type MeasureChoice } from '../../../core/study/studyCurves.ts';
import { compareAddress, maxCompared } from '../../addresses/compareAddress.ts';
import { raw } from '../../kit/raw.ts';
import { Table } from '../../kit/Table.tsx';
import { bad, dim } from '../../kit/tones.ts';
import { VerdictWord } from './VerdictWord.tsx';

const figures = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const;

/**
 * Each place with the value of every curve, its gap to the baseline in the unit and in percent,
 * what can be told of it, and its runs to compare; an en dash where one did not measure it.
 */
export function GapTable({
  data,
  choice: { of, unit, decimals },
}: {
  data: StudyComparison;
  choice: MeasureChoice;
}) {
  const tested = of.tests.some((list) => list.some((test) => test !== null));
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Gaps, scrollable' }}>
      <Table aria-label="Gap at each value" fz="sm" verticalSpacing={3} highlightOnHover w="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{data.axis.label}</Table.Th>
            {data.curves.map((c, i) => (
              <Fragment key={c.key}>
                <Table.Th
                  ta="right"
                  miw={110}
                >{`${c.name}${unit === '' ? '' : `, ${unit}`}`}</Table.Th>
                {i > 0 && (
                  <>
                    <Table.Th ta="right">Gap</Table.Th>
                    <Table.Th ta="right">Gap, %</Table.Th>
                    <Table.Th>Verdict</Table.Th>
                    {tested && <Table.Th>95 % interval</Table.Th>}
                  </>
                )}
              </Fragment>
            ))}
            <Table.Th>Runs</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.axis.places.map((place, p) => {
            const name = data.axis.places.length === 1 ? 'all' : place.label;
            return (
              <Table.Tr key={String(place.value)}>
                <Table.Th scope="row" fw={400}>
                  {name}
                </Table.Th>
                {data.curves.map((c, i) => (
                  <Fragment key={c.key}>
                    <Table.Td
                      ta="right"
                      style={figures}
                      title={
                        of.repeats[i]![p]! > 1 ? `Mean of ${of.repeats[i]![p]} repeats` : undefined
                      }
                    >
                      <Missed at={data.places[i]![p]!} />
                      <span {...raw(of.values[i]![p])}>
                        {formatCell(of.values[i]![p] ?? null, decimals)}
                      </span>
                      {of.repeats[i]![p]! > 1 && (
                        <Text span size="xs" c={dim}>{` ×${of.repeats[i]![p]}`}</Text>
                      )}
                    </Table.Td>
                    {i > 0 && (
                      <>
                        <Table.Td ta="right" style={figures} {...raw(of.gap[i]![p])}>
                          {of.gap[i]![p] === null ? '–' : signed(of.gap[i]![p]!, decimals)}
                        </Table.Td>
                        <Table.Td ta="right" style={figures} {...raw(of.gapPct[i]![p], '%')}>
                          {of.gapPct[i]![p] === null ? '–' : formatDelta(of.gapPct[i]![p]!)}
                        </Table.Td>
                        <Table.Td>
                          {of.words[i]![p] ? (
                            <Text span size="xs">
                              <VerdictWord word={of.words[i]![p]} />
                            </Text>
                          ) : (
                            <Text span size="xs" c={dim}>
                              {gapWord(of, i, p)}
                            </Text>
                          )}
                        </Table.Td>
                        {tested && (
                          <Table.Td style={figures}>
                            <Text span size="xs">
                              {gapInterval(of, i, p)}
                            </Text>
                          </Table.Td>
                        )}
                      </>
                    )}
                  </Fragment>
                ))}
                <Table.Td>
                  <RunsLink data={data} place={p} name={name} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

/** All runs of one place, the baseline curve's first; nothing where there is one side only. */
function RunsLink({ data, place, name }: { data: StudyComparison; place: number; name: string }) {
  const sides = data.places.map((list) => list[place]!.runIds).filter((ids) => ids.length > 0);
  const [first, ...others] = sides.flat();
  if (sides.length < 2 || first === undefined || others.length > maxCompared) return null;
  return (
    <Anchor
      component={Link}
      to={compareAddress(first, others)}
      size="xs"
      style={{ whiteSpace: 'nowrap' }}
      aria-label={`Compare runs, ${data.axis.label} ${name}`}
    >
      Compare runs
    </Anchor>
  );
}

function Missed({
  at: { runIds, missed, detail },
}: {
  at: StudyComparison['places'][number][number];
}) {
  if (missed === 0) return null;
  return (
    <Group
      component="span"
      display="inline-flex"
      gap={3}
      mr={6}
      c={bad}
      wrap="nowrap"
      title={detail === '' ? undefined : detail}
    >
      <IconAlertTriangle size={13} aria-hidden />
      <Text span size="xs">
        {missed < runIds.length ? `QoS failed ${missed} of ${runIds.length}` : 'QoS failed'}
      </Text>
    </Group>
  );
}

const signed = (value: number, decimals: number): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${formatCell(Math.abs(value), decimals)}`;
