import { Accordion, Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { countFindings } from '../../shared/checkReport.ts';
import { findingKey, type CheckFinding } from '../../shared/plan.ts';
import { counted } from '../runs/runWords.ts';
import { dim } from '../runs/tones.ts';
import classes from './check.module.css';
import { FindingDetails, type FindingActions } from './FindingDetails.tsx';

const words = {
  block: { word: '✗ Blocks', color: 'red.9' }, warn: { word: '! Warning', color: 'orange.9' }, waived: { word: '~ Waived', color: 'gray.7' },
  info: { word: 'i Note', color: 'blue.9' }, ok: { word: '✓ Ok', color: 'green.9' },
} as const;
type Kind = keyof typeof words;
const kindOf = (finding: CheckFinding): Kind => (finding.waived ? 'waived' : finding.severity);
const filterWords: Readonly<Record<Kind, string>> = { block: 'Blocking', warn: 'Warnings', waived: 'Waived', info: 'Notes', ok: 'Ok' };
/** Rows drawn at first: forty clients give hundreds that are ok. */
const firstRows = 100;

/** `1 blocking, 2 warnings, …` */
export function countWords(findings: readonly CheckFinding[]): string {
  const count = countFindings(findings);
  return `${count.block} blocking, ${counted(count.warn, 'warning')}, ${counted(count.info, 'note')}, ${count.ok} ok${count.waived > 0 ? `, ${count.waived} waived` : ''}`;
}

/** What the check saw, worst first; evidence, fix and what can be done unfold in place. */
export function CheckFindings({ findings, actions }: { findings: readonly CheckFinding[]; actions: FindingActions | null }) {
  const [shown, setShown] = useState<Kind | 'all'>('all');
  const [whole, setWhole] = useState(false);
  const count = countFindings(findings);
  const kinds = (Object.keys(words) as Kind[]).filter((kind) => count[kind] > 0);
  const filter = shown !== 'all' && !kinds.includes(shown) ? 'all' : shown;
  const matching = findings.filter((finding) => filter === 'all' || kindOf(finding) === filter);
  const rows = whole ? matching : matching.slice(0, firstRows);
  const blocked = findings.flatMap((finding) => (kindOf(finding) === 'block' ? [findingKey(finding)] : []));
  return (
    <Stack gap="xs">
      {kinds.length > 1 && (
        <SegmentedControl size="xs" aria-label="Findings shown" value={filter} onChange={setShown} style={{ alignSelf: 'flex-start', flexWrap: 'wrap' }}
          data={[{ value: 'all', label: `All ${findings.length}` }, ...kinds.map((kind) => ({ value: kind, label: `${filterWords[kind]} ${count[kind]}` }))]} />
      )}
      <Accordion key={blocked.join()} multiple variant="contained" defaultValue={blocked} transitionDuration={0}>
        {rows.map((finding) => {
          const { word, color } = words[kindOf(finding)];
          return (
            <Accordion.Item key={findingKey(finding)} value={findingKey(finding)}>
              <Accordion.Control>
                <span className={classes.row}>
                  <Badge w={92} color={color} variant="filled" tt="none">{word}</Badge>
                  <Text size="sm" className={classes.title}>{finding.title}</Text>
                  <Text size="sm" c={dim} className={classes.evidence}>{finding.evidence}</Text>
                </span>
              </Accordion.Control>
              <Accordion.Panel><FindingDetails finding={finding} actions={actions} /></Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
      {rows.length < matching.length && <Group><Button size="compact-sm" variant="default" onClick={() => setWhole(true)}>{`Show ${matching.length - rows.length} more`}</Button></Group>}
    </Stack>
  );
}
