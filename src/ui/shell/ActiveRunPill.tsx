import { Button } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { Link, useMatch } from 'react-router';

import { counted } from '../../core/base/counted.ts';
import { formatElapsed } from '../../core/base/format.ts';
import type { RunOverview } from '../../core/run/run.ts';
import { overviewStateWord } from '../../core/run/runWords.ts';
import { phaseLeftMs } from '../engine/activeRun.ts';
import classes from './shell.module.css';

/** The run in progress, on every page; a click goes to its live board. */
export function ActiveRunPill({ run }: { run: RunOverview }) {
  // Its own screen tells the time in one place.
  const isHere = useMatch(`/runs/${run.id}`) !== null;
  const leftMs = isHere ? null : phaseLeftMs(run);
  const troubled = run.workloads.filter((w) => w.state === 'lost' || w.state === 'failed').length;
  return (
    <Button
      component={Link}
      to={`/runs/${run.id}`}
      size="xs"
      radius="xl"
      color={troubled > 0 ? 'orange.9' : 'accent'}
      maw={460}
      classNames={{ label: classes.runLabel! }}
      style={{ flexShrink: 6 }}
      leftSection={<IconActivity size={14} aria-hidden />}
    >
      <span className={classes.runName}>{run.name}</span>
      <span className={classes.runState}>
        {': ' +
          `${overviewStateWord(run)}${leftMs === null ? '' : `, ${formatElapsed(leftMs)} left`}` +
          (troubled > 0 ? `, ${counted(troubled, 'workload')} in trouble` : '')}
      </span>
    </Button>
  );
}
