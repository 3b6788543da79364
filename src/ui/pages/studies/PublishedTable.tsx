import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react';

import { counted } from '../../../core/base/counted.ts';
import { differenceText, figureText, toleranceText } from '../../../core/study/expectationText.ts';
import type { ExpectationLine } from '../../../core/study/study.ts';
import { raw } from '../../kit/raw.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

/** What was published beside what came out here, line by line, each with its source. */
export function PublishedTable({
  lines,
  word,
}: {
  lines: readonly ExpectationLine[];
  /** `Modelled` or `Measured`. */ word: string;
}) {
  const document = sharedDocument(lines.map((l) => l.source));
  const known = lines.filter((l) => l.model !== null);
  const unknown = lines.length - known.length;
  const inside = known.filter((l) => l.inside).length;
  return (
    <>
      <Text size="sm" mb={6}>
        {`${inside} of ${counted(lines.length, 'line')} met` +
          `${unknown > 0 ? `, ${unknown} without a value yet` : ''}.` +
          (document === '' ? '' : ` Published in ${document}.`)}
      </Text>
      <Table
        aria-label="Compared with what was published"
        fz="sm"
        verticalSpacing={3}
        highlightOnHover
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th ta="right">{word}</Table.Th>
            <Table.Th ta="right">Published</Table.Th>
            <Table.Th ta="right">Difference</Table.Th>
            <Table.Th ta="right">Tolerance</Table.Th>
            <Table.Th>Verdict</Table.Th>
            <Table.Th>Source</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.id} style={{ fontVariantNumeric: 'tabular-nums' }}>
              <Table.Th scope="row" fw={400}>
                {line.label}
                {line.knownMiss !== undefined && (
                  <Text size="xs" c={dim}>
                    {line.knownMiss}
                  </Text>
                )}
              </Table.Th>
              <Table.Td
                ta="right"
                {...raw(line.model, line.unit)}
                title={line.model === null ? 'Not measured yet' : `${line.model} ${line.unit}`}
              >
                {figureText(line.model, line.unit)}
              </Table.Td>
              <Table.Td ta="right">{line.published}</Table.Td>
              <Table.Td ta="right" {...raw(line.difference, line.unit)}>
                {differenceText(line)}
              </Table.Td>
              <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                {toleranceText(line)}
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Verdict line={line} />
              </Table.Td>
              <Table.Td
                fz="xs"
                title={line.source}
                style={document === '' ? { maxWidth: 320 } : { whiteSpace: 'nowrap' }}
              >
                {document === '' ? line.source : line.source.slice(document.length + 2)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

/**
 * The document that all lines are from, told once instead of in each row; '' = they are from
 * several. `Title, seed 000 line 42` is of `Title`.
 */
function sharedDocument(sources: readonly string[]): string {
  const first = /^(.*?), seed \d/.exec(sources[0] ?? '')?.[1] ?? '';
  return first !== '' && sources.every((source) => source.startsWith(`${first}, `)) ? first : '';
}

function Verdict({ line }: { line: ExpectationLine }) {
  const [Icon, color, text] =
    line.model === null
      ? ([IconClock, 'gray', 'No value yet'] as const)
      : line.inside
        ? ([IconCircleCheck, 'green', 'Met'] as const)
        : ([IconAlertTriangle, 'orange', 'Missed'] as const);
  return (
    <Group gap={6} wrap="nowrap" fw={line.model !== null && !line.inside ? 600 : undefined}>
      <Icon size={15} aria-hidden color={`var(--mantine-color-${color}-6)`} />
      {text}
    </Group>
  );
}
