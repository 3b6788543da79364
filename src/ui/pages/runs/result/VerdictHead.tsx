import { Anchor, Title } from '@mantine/core';
import { Link } from 'react-router';

import { counted } from '../../../../core/base/counted.ts';
import { formatElapsed } from '../../../../core/base/format.ts';
import { isForeign } from '../../../../core/run/foreign.ts';
import type { RunOverview, RunRecord } from '../../../../core/run/run.ts';
import { isEnd } from '../../../../core/run/states.ts';
import { keptLimitsText, verdictReasons } from '../../../../core/score/verdictReasons.ts';
import { formatDateTime } from '../../../kit/formatDateTime.ts';
import { RunStateBadge } from '../../../kit/RunStateBadge.tsx';
import { StudyLink } from '../../../kit/StudyLink.tsx';
import { RunMarkChips } from '../RunMarks.tsx';
import styles from './result.module.css';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What became of the run, beside its state: which limit broke, what ended it, what was kept. */
function verdictText(overview: RunOverview, record: RunRecord | undefined): string {
  const { verdict, score } = overview;
  if (verdict === null) return '';
  const foreign = isForeign(record?.imported);
  if (foreign) return verdict.sentence;
  if (verdict.outcome !== 'passed' || score === null || record === undefined)
    // What failed may begin with the name of a program.
    return verdict.outcome === 'aborted'
      ? capital(verdict.sentence.replace(/^Aborted:? /, ''))
      : verdict.sentence.replace(/^(Failed|Passed): /, '');
  const reasons = verdictReasons({ ...record, overview }, score);
  return capital(
    reasons.length === 0 && verdict.compliant
      ? keptLimitsText(score)
      : reasons.join('; ') || verdict.sentence,
  );
}

/** What became of an ended run and what it was of, in two lines. */
export function VerdictHead({
  overview,
  record,
}: {
  overview: RunOverview;
  record: RunRecord | undefined;
}) {
  const { state, verdict } = overview;
  const foreign = isForeign(record?.imported);
  return (
    <div>
      <div className={styles.verdict}>
        <span role="status" aria-label="State of the run">
          <RunStateBadge
            large
            state={state}
            compliant={foreign ? null : (verdict?.compliant ?? null)}
          />
        </span>
        <Title
          order={2}
          fz={16}
          lh="24px"
          data-testid="verdict"
          style={{ overflowWrap: 'anywhere' }}
        >
          {verdictText(overview, record)}
        </Title>
      </div>
      <Facts overview={overview} record={record} />
    </div>
  );
}

/** Plan, testbed, tiles, when, how long, kind of result, reference. */
function Facts({ overview, record }: { overview: RunOverview; record: RunRecord | undefined }) {
  const { startedAtMs, endedAtMs } = overview;
  const own = record !== undefined && record.imported === undefined;
  const foreign = isForeign(record?.imported);
  return (
    <div className={styles.facts} role="group" aria-label="About the run">
      {own && <Place to={`/plans/${record.plan.id}`} what="Plan" name={record.plan.name} />}
      {own && (
        <Place to={`/testbeds/${record.testbed.id}`} what="Testbed" name={record.testbed.name} />
      )}
      {record !== undefined && !own && !foreign && <span>{record.plan.name}</span>}
      {record !== undefined && !foreign && <span>{counted(record.plan.tiles, 'tile')}</span>}
      {startedAtMs !== null && <span>{formatDateTime(startedAtMs)}</span>}
      {startedAtMs !== null && endedAtMs !== null && isEnd(overview.state) && (
        <span title="From the start of load to the end">
          {formatElapsed(endedAtMs - startedAtMs)}
        </span>
      )}
      {record?.plan.study != null && (
        <span>
          Point of <StudyLink study={record.plan.study} />
        </span>
      )}
      <RunMarkChips
        overview={overview}
        imported={record?.imported}
        resultName={record?.profile.resultName ?? ''}
        minimumHosts={record?.profile.minimumHosts ?? 0}
        hostCount={record?.inventoryBefore?.hosts.length ?? null}
      />
    </div>
  );
}

function Place({ to, what, name }: { to: string; what: string; name: string }) {
  return (
    <span>
      <Anchor component={Link} to={to} inherit title={`${what} ${name}`}>
        {name}
      </Anchor>
    </span>
  );
}
