import { Stack } from '@mantine/core';
import { useState } from 'react';

import { isForeign } from '../../../core/run/foreign.ts';
import type { RunRecord, RunSummary } from '../../../core/run/run.ts';
import type { Cell } from '../../../core/score/worstCell.ts';
import { ResultStage } from '../live/BoardStage.tsx';
import { LeftBehind } from './LeftBehind.tsx';
import { ActsCard } from './result/ActsCard.tsx';
import { EventsCard } from './result/EventsCard.tsx';
import { HeroChart } from './result/HeroChart.tsx';
import { KeyNumbers } from './result/KeyNumbers.tsx';
import { NothingMeasured } from './result/NothingMeasured.tsx';
import styles from './result/result.module.css';
import { RunFolds } from './result/RunFolds.tsx';
import { TileTable } from './result/TileTable.tsx';
import { VersusLast } from './result/VersusLast.tsx';
import { WhyCard } from './result/WhyCard.tsx';
import { SetReference } from './SetReference.tsx';

interface Props {
  record: RunRecord;
  summary: RunSummary | undefined;
  onTidy: () => Promise<unknown>;
  /** Opens another part of the page. */
  onTab: (tab: 'events' | 'log') => void;
}

/** The result of an ended run: numbers, the picture, why and what happened, tile by tile; then all behind it. */
export function RunResult({ record, summary, onTidy, onTab }: Props) {
  const { overview, imported, plan } = record;
  const { score } = overview;
  const [chosen, setChosen] = useState<Cell | null>(null);
  const own = imported === undefined;
  const isEmpty = own && overview.series.length === 0;
  const canRefer = own && plan.study === null && overview.state === 'passed';
  return (
    <Stack gap="sm">
      {own && <LeftBehind overview={overview} onTidy={onTidy} />}
      {!isEmpty && (
        <KeyNumbers
          record={record}
          summary={summary}
          setReference={canRefer && <SetReference record={record} />}
        >
          {own && plan.study === null && <VersusLast overview={overview} />}
        </KeyNumbers>
      )}
      <div className={styles.body}>
        {isEmpty ? (
          <NothingMeasured record={record} onLog={() => onTab('log')} />
        ) : (
          <HeroChart record={record} chosen={chosen} onWorst={() => setChosen(null)} />
        )}
        {score !== null && score.periods.length > 0 && !isForeign(imported) && (
          <div className={styles.tiles}>
            <TileTable score={score} chosen={chosen} onChoose={setChosen} />
          </div>
        )}
        <div className={styles.aside}>
          {!isEmpty && <WhyCard overview={overview} onLog={() => onTab('log')} />}
          <EventsCard overview={overview} fixes={!isEmpty} onAll={() => onTab('events')} />
        </div>
      </div>
      {overview.acts !== undefined && !isEmpty && <ActsCard record={record} />}
      <ResultStage overview={overview} profile={record.profile} />
      <RunFolds record={record} summary={summary} />
    </Stack>
  );
}
