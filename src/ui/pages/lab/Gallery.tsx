import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAdjustments, IconPlayerPlay } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';

import type { GalleryItem } from '../../../core/study/study.ts';
import { StudyStateBadge } from '../../kit/StudyStateBadge.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { BasisTable } from '../studies/BasisTable.tsx';
import { TestbedPicture } from '../studies/TestbedPicture.tsx';
import styles from './lab.module.css';
import { runWord, useOpenPlan, useRunGallery, useWhatIfGallery } from './useRunGallery.ts';

/** The ready-made studies: a list, and the chosen one with its testbed and what was published. */
export function Gallery({ items }: { items: readonly GalleryItem[] }) {
  const [params, setParams] = useSearchParams();
  const chosen = items.find((item) => item.id === params.get('study')) ?? items[0]!;
  return (
    <div className={styles.gallery}>
      <nav aria-label="Gallery of studies" className={styles.list}>
        {items.map((item) => (
          <button
            key={item.id}
            type="button"
            className={styles.item}
            aria-current={item.id === chosen.id}
            onClick={() => setParams({ study: item.id }, { replace: true })}
          >
            <span className={styles.id}>{item.id}</span>
            <span>
              {item.title}
              <small>{`${item.benchmark}, ${item.year}`}</small>
            </span>
            {item.state !== null && item.state !== 'draft' && (
              <StudyStateBadge state={item.state} />
            )}
          </button>
        ))}
      </nav>
      <Entry key={chosen.id} item={chosen} />
    </div>
  );
}

/** Plans on the same lab in which something happens to it. */
function ActPlans({ item }: { item: GalleryItem }) {
  const { open, busy } = useOpenPlan();
  if (item.also === undefined) return null;
  return (
    <>
      {item.also.map(({ planId, title, paragraph, source }) => (
        <Group key={planId} justify="space-between" align="flex-start" wrap="nowrap">
          <div>
            <Title order={3}>{title}</Title>
            <Text size="sm" maw={760}>
              {paragraph}
            </Text>
            <Text size="xs" c={dim}>
              {source}
            </Text>
          </div>
          <Button
            variant="default"
            loading={busy}
            style={{ flexShrink: 0 }}
            aria-label={`Open the plan: ${title}`}
            onClick={() => open(item, planId)}
          >
            Open the plan
          </Button>
        </Group>
      ))}
    </>
  );
}

function Entry({ item }: { item: GalleryItem }) {
  const { run, busy } = useRunGallery();
  const whatIf = useWhatIfGallery();
  const facts: [string, string][] = [
    ['Swept', item.swept],
    ['Shows', item.shows],
  ];
  return (
    <Paper p="md" component="section" aria-label={item.title}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2}>{item.title}</Title>
            <Group gap={8} mt={4}>
              <Badge variant="light" color="gray" tt="none" c="var(--mantine-color-text)">
                {item.benchmark}
              </Badge>
              <Text span size="sm" c={dim}>
                {item.year}
              </Text>
              {item.state !== null && <StudyStateBadge state={item.state} />}
            </Group>
          </div>
          <Group gap={8} wrap="nowrap">
            <Button
              variant="default"
              loading={whatIf.busy}
              leftSection={<IconAdjustments size={15} aria-hidden />}
              onClick={() => whatIf.change(item)}
              aria-label={`What if: ${item.title}`}
            >
              What if…
            </Button>
            <Button
              loading={busy}
              leftSection={<IconPlayerPlay size={15} aria-hidden />}
              onClick={() => run(item)}
              aria-label={`${runWord(item.state)}: ${item.title}`}
            >
              {runWord(item.state)}
            </Button>
          </Group>
        </Group>
        <Text size="sm" maw={760}>
          {item.paragraph}
        </Text>
        <Table fz="sm" verticalSpacing={2} aria-label="What it does" withRowBorders={false}>
          <Table.Tbody>
            {facts.map(([label, text]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row" w={80} fw={600}>
                  {label}
                </Table.Th>
                <Table.Td>{text}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <TestbedPicture
          testbed={item.testbed}
          pressing={{ chosen: null, onPress: (part) => whatIf.change(item, part) }}
        />
        <ActPlans item={item} />
        <Title order={3}>Published result</Title>
        {item.published.length === 0 ? (
          <Text size="sm" c={dim}>
            The author gives the result as a picture only. The chart is modelled and says so.
          </Text>
        ) : (
          <Table fz="sm" verticalSpacing={3} aria-label="Published result">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>What</Table.Th>
                <Table.Th>Published</Table.Th>
                <Table.Th>Source</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {item.published.map((line) => (
                <Table.Tr key={`${line.label} ${line.text}`}>
                  <Table.Th scope="row" fw={400}>
                    {line.label}
                  </Table.Th>
                  <Table.Td style={{ fontVariantNumeric: 'tabular-nums' }}>{line.text}</Table.Td>
                  <Table.Td fz="xs">{line.source}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        {item.basis !== undefined && item.basis.length > 0 && (
          <>
            <Title order={3}>What it rests on</Title>
            <BasisTable basis={item.basis} />
          </>
        )}
      </Stack>
    </Paper>
  );
}
