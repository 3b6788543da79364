import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';

import type { Diagnosis, Hypothesis } from '../../../core/diagnosis/diagnosis.ts';
import { dim } from '../../kit/tones.ts';
import { AlignmentStrip } from './AlignmentStrip.tsx';
import styles from './diagnosis.module.css';
import { confidenceWords, failingText } from './diagnosisWords.ts';
import { EvidenceCharts } from './EvidenceCharts.tsx';
import { EvidenceTable } from './EvidenceTable.tsx';

/** One hypothesis: what and how sure at a glance, the evidence unfolded in place. */
export function HypothesisItem({
  hypothesis,
  rank,
  diagnosis,
  open,
  onOpen,
}: {
  hypothesis: Hypothesis;
  rank: number;
  diagnosis: Diagnosis;
  open: boolean;
  onOpen: (open: boolean) => void;
}) {
  const id = useId();
  const [charts, setCharts] = useState(false);
  const { title, subjects, confidence, score, explanation, remedy, evidence, alignment, failing } =
    hypothesis;
  const worst =
    diagnosis.failing.find((one) => failing.tiles.includes(one.tile)) ?? diagnosis.failing[0];
  const series = [
    ...new Set([
      ...(worst === undefined ? [] : [worst.seriesId]),
      ...evidence.flatMap((row) => row.seriesIds),
    ]),
  ];
  return (
    <li className={styles.item}>
      <UnstyledButton
        className={styles.head}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => onOpen(!open)}
      >
        <IconChevronRight size={16} aria-hidden className={styles.turn} data-open={open} />
        <span className={styles.name}>
          <Text span size="sm" fw={600}>{`${rank}. ${title}`}</Text>
          {subjects.length > 0 && (
            <Text span size="sm">
              {' · ' +
                `${subjects.slice(0, 4).join(', ')}${subjects.length > 4 ? ` and ${subjects.length - 4} more` : ''}`}
            </Text>
          )}
          <Text span size="xs" c={dim} display="block">
            {failingText(failing)}
          </Text>
        </span>
        <Text
          span
          size="xs"
          title={`Weight ${score.toFixed(2)}: an order, not a probability`}
          style={{ whiteSpace: 'nowrap' }}
        >
          <span className={styles.meter} aria-hidden>
            <span className={styles.fill} style={{ width: `${Math.round(score * 100)}%` }} />
          </span>
          {` ${confidenceWords[confidence]}`}
        </Text>
      </UnstyledButton>
      {open && (
        <div id={id} className={styles.body}>
          <Text size="sm">{explanation}</Text>
          <Text size="sm">
            <b>What helps</b>
            {` ${remedy}`}
          </Text>
          {alignment !== null && worst !== undefined && (
            <AlignmentStrip
              alignment={alignment}
              counter={`${evidence[0]?.label ?? title} ${subjects[0] ?? ''}`.trim()}
              workload={worst.name}
            />
          )}
          <EvidenceTable title={title} rows={evidence} before={diagnosis.before !== null} />
          <Group gap="xs">
            {series.length > 0 && (
              <Button
                size="xs"
                variant="default"
                aria-expanded={charts}
                onClick={() => setCharts(!charts)}
              >
                {charts ? 'Hide charts' : 'Show charts'}
              </Button>
            )}
            <Button
              size="xs"
              variant="subtle"
              component={Link}
              to={`/runs/${diagnosis.after.runId}`}
            >{`Open run at ${diagnosis.after.label}`}</Button>
          </Group>
          {charts && <EvidenceCharts runId={diagnosis.after.runId} series={series} />}
        </div>
      )}
    </li>
  );
}
