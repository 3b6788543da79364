import { Accordion, Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPower } from '@tabler/icons-react';
import { useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { canWaive, countFindings } from '../../../core/plan/checkReport.ts';
import { type CheckFinding, type CheckReport, findingKey } from '../../../core/plan/plan.ts';
import { dim } from '../../kit/tones.ts';
import classes from './check.module.css';
import { type FindingActions, FindingDetails } from './FindingDetails.tsx';
import {
  type FindingGroup,
  groupFindings,
  type Kind,
  kindOf,
  kinds,
  needsAttention,
} from './findingGroups.ts';

const words = {
  block: { word: '✗ Blocks', color: 'red.9' },
  warn: { word: '! Warning', color: 'orange.9' },
  waived: { word: '~ Waived', color: 'gray.7' },
  info: { word: 'i Note', color: 'blue.9' },
  ok: { word: '✓ Ok', color: 'green.9' },
} as const;
const filterWords: Readonly<Record<Kind, string>> = {
  block: 'Blocking',
  warn: 'Warnings',
  waived: 'Waived',
  info: 'Notes',
  ok: 'Ok',
};
/** Rows drawn at first, of the list and of a group. */
const firstRows = 60;

/** The key as a part of an element's id: with a blank in it, it would be two. */
const idOf = (key: string): string => key.replaceAll(/[^\w-]/g, '_');

/** `1 blocking, 2 warnings, 20 ok`: of each kind that there is. */
export function countWords(findings: readonly CheckFinding[]): string {
  const count = countFindings(findings);
  const words = {
    block: `${count.block} blocking`,
    warn: counted(count.warn, 'warning'),
    waived: `${count.waived} waived`,
    info: counted(count.info, 'note'),
    ok: `${count.ok} ok`,
  } satisfies Record<Kind, string>;
  return kinds
    .filter((kind) => count[kind] > 0)
    .map((kind) => words[kind])
    .join(', ');
}

type Filter = Kind | 'attention' | 'all';
interface Props {
  findings: readonly CheckFinding[];
  checks?: CheckReport['checks'];
  actions: FindingActions | null;
}

/**
 * What the check saw, worst first; evidence, fix and what can be done unfold in place. At first
 * only what needs attention.
 */
export function CheckFindings({ findings, checks = [], actions }: Props) {
  const [shown, setShown] = useState<Filter>('attention');
  const count = countFindings(findings);
  const present = kinds.filter((kind) => count[kind] > 0);
  const attention = findings.filter(needsAttention).length;
  const filter: Filter =
    shown !== 'all' && shown !== 'attention' && count[shown] === 0 ? 'attention' : shown;
  const matching = findings.filter(
    (finding) =>
      filter === 'all' ||
      (filter === 'attention' ? needsAttention(finding) : kindOf(finding) === filter),
  );
  const options: { value: Filter; label: string }[] = [
    { value: 'attention', label: `Needs attention ${attention}` },
    ...present.map((kind) => ({ value: kind, label: `${filterWords[kind]} ${count[kind]}` })),
    { value: 'all', label: `All ${findings.length}` },
  ];
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="Findings shown"
        value={filter}
        onChange={setShown}
        data={options}
        className={classes.filter}
      />
      {matching.length === 0 ? (
        <Text size="sm" c={dim}>
          Nothing blocks and nothing warns.
        </Text>
      ) : (
        <Rows
          groups={groupFindings(matching, new Map(checks.map(({ id, title }) => [id, title])))}
          actions={actions}
        />
      )}
    </Stack>
  );
}

function Rows({
  groups,
  actions,
}: {
  groups: readonly FindingGroup[];
  actions: FindingActions | null;
}) {
  const [whole, setWhole] = useState(false);
  const rows = whole ? groups : groups.slice(0, firstRows);
  const open = groups.flatMap((group) =>
    group.kind === 'block' && group.findings.length === 1 ? [idOf(group.key)] : [],
  );
  return (
    <>
      <Accordion
        key={open.join()}
        multiple
        variant="contained"
        defaultValue={open}
        transitionDuration={0}
      >
        {rows.map(({ key, kind, title, findings }) => (
          <Accordion.Item key={key} value={idOf(key)}>
            <Accordion.Control>
              <span className={classes.row}>
                <Badge w={92} color={words[kind].color} variant="filled" tt="none">
                  {words[kind].word}
                </Badge>
                <Text size="sm" className={classes.title}>
                  {title}
                </Text>
                <Text size="sm" c={dim} className={classes.evidence}>
                  {findings.length === 1
                    ? findings[0]!.evidence
                    : findings.map((one) => one.subject ?? one.title).join(', ')}
                </Text>
              </span>
            </Accordion.Control>
            <Accordion.Panel>
              {findings.length === 1 ? (
                <FindingDetails finding={findings[0]!} actions={actions} />
              ) : (
                <Members findings={findings} actions={actions} />
              )}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {rows.length < groups.length && (
        <More left={groups.length - rows.length} onClick={() => setWhole(true)} />
      )}
    </>
  );
}

/** The findings of one group, each with all of its own. */
function Members({
  findings,
  actions,
}: {
  findings: readonly CheckFinding[];
  actions: FindingActions | null;
}) {
  const [whole, setWhole] = useState(false);
  const rows = whole ? findings : findings.slice(0, firstRows);
  return (
    <>
      {actions && (
        <Group mb={4} gap={8}>
          <PowerTogether findings={findings} actions={actions} />
          <TogetherButton findings={findings} actions={actions} />
        </Group>
      )}
      <Accordion multiple transitionDuration={0}>
        {rows.map((finding) => (
          <Accordion.Item key={findingKey(finding)} value={idOf(findingKey(finding))}>
            <Accordion.Control>
              <span className={classes.row}>
                <Text size="sm" className={classes.title}>
                  {finding.title}
                </Text>
                <Text size="sm" c={dim} className={classes.evidence}>
                  {finding.evidence}
                </Text>
              </span>
            </Accordion.Control>
            <Accordion.Panel>
              <FindingDetails finding={finding} actions={actions} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {rows.length < findings.length && (
        <More left={findings.length - rows.length} onClick={() => setWhole(true)} />
      )}
    </>
  );
}

/** All VMs of a group that are off, powered on in one go. */
function PowerTogether({
  findings,
  actions,
}: {
  findings: readonly CheckFinding[];
  actions: FindingActions;
}) {
  const off = findings.flatMap((finding) => (finding.off && !finding.waived ? [finding.off] : []));
  return (
    off.length > 1 && (
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPower size={14} aria-hidden />}
        loading={actions.powering}
        onClick={() => actions.powerOn(off)}
      >{`Power on all ${off.length}…`}</Button>
    )
  );
}

/** One reason for all of a group, as far as each can be waived; or all waivers back. */
function TogetherButton({
  findings,
  actions,
}: {
  findings: readonly CheckFinding[];
  actions: FindingActions;
}) {
  const waived = findings.filter((finding) => finding.waived);
  const waivable = findings.filter((finding) => canWaive(finding) && !finding.waived);
  if (waived.length === findings.length)
    return (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => actions.unwaive(waived)}
      >{`Take all ${waived.length} waivers back`}</Button>
    );
  return (
    waivable.length > 1 && (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => actions.waive(waivable)}
      >{`Waive all ${waivable.length} with one reason`}</Button>
    )
  );
}

const More = ({ left, onClick }: { left: number; onClick: () => void }) => (
  <Group>
    <Button size="compact-sm" variant="default" onClick={onClick}>{`Show ${left} more`}</Button>
  </Group>
);
