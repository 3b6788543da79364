import { Group, Paper, Title } from '@mantine/core';

import { runStates } from '../../src/core/run/states.ts';
import { pointStateWords, studyStateWords } from '../../src/core/study/stateWords.ts';
import { Fold } from '../../src/ui/kit/Fold.tsx';
import { Failure, Pending } from '../../src/ui/kit/LoadState.tsx';
import { OriginMark } from '../../src/ui/kit/OriginMark.tsx';
import { ProductMark } from '../../src/ui/kit/ProductMark.tsx';
import { RunStateBadge } from '../../src/ui/kit/RunStateBadge.tsx';
import { SimulatedMark } from '../../src/ui/kit/SimulatedMark.tsx';
import { StateMark } from '../../src/ui/kit/StateMark.tsx';
import { PointStateBadge, StudyStateBadge } from '../../src/ui/kit/StudyStateBadge.tsx';

const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>): K[] =>
  Object.keys(record) as K[];

/** States of runs, studies and points; marks; waiting and failing. */
export const StateLooks = () => (
  <Paper component="section" p="md">
    <Title order={2}>States and marks</Title>
    <Group mt="sm">
      {(['idle', 'run', 'ok', 'warn', 'bad', 'lost'] as const).map((tone) => (
        <StateMark key={tone} tone={tone} word={tone} />
      ))}
    </Group>
    <Group mt="sm">
      {runStates.map((state) => (
        <RunStateBadge key={state} state={state} />
      ))}
      <RunStateBadge state="passed" compliant={false} />
      <RunStateBadge state="passed" compliant large />
    </Group>
    <Group mt="sm">
      {keysOf(studyStateWords).map((state) => (
        <StudyStateBadge key={state} state={state} />
      ))}
      {keysOf(pointStateWords).map((state) => (
        <PointStateBadge key={state} state={state} />
      ))}
    </Group>
    <Group mt="sm">
      <ProductMark size={32} />
      <SimulatedMark always />
      <OriginMark origin="simulated" />
      <OriginMark origin="replay" />
    </Group>
    <Group mt="sm" grow align="start">
      <Pending label="runs" rows={3} />
      <Failure
        title="The run cannot be read"
        error={{
          kind: 'unreachable',
          message: 'No answer from 192.0.2.7:22 within 10 s.',
          hint: 'Check the address and that sshd runs there.',
          details: { technical: 'connect ETIMEDOUT' },
        }}
        onRetry={() => undefined}
      />
    </Group>
    <Fold title="How it was found" said="three methods agree">
      Folded away.
    </Fold>
  </Paper>
);
