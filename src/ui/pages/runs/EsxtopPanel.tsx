import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react';
import { useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import { formatClock, formatExact } from '../../../core/base/format.ts';
import {
  type EsxtopLook,
  type EsxtopSight,
  esxtopSightWords,
  lookState,
} from '../../../core/run/esxtopLook.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { isPhase } from '../../../core/run/windows.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

export interface EsxtopPanelProps {
  overview: Pick<RunOverview, 'esxtop' | 'state' | 'origin' | 'nowMs'>;
  /** Epoch ms of the engine's clock. */
  nowMs: number;
  /** null = the run is over. */
  onLook: ((hostRef: string) => Promise<unknown>) | null;
}

/** esxtop for a minute on a host of the run, and what it showed: beside a run, and kept with it. */
export function EsxtopPanel({ overview, nowMs, onLook }: EsxtopPanelProps) {
  const { hosts, looks } = overview.esxtop ?? { hosts: [], looks: [] };
  const isOver = isEnd(overview.state) || onLook === null;
  const [refused, setRefused] = useState('');
  const ask = async (hostRef: string): Promise<void> => {
    setRefused('');
    try {
      await onLook?.(hostRef);
    } catch (thrown) {
      const { message, hint = '' } = toAppError(thrown);
      setRefused(`${message} ${hint}`.trim());
    }
  };
  const isRunning = (ref: string): boolean =>
    looks.some((one) => one.hostRef === ref && lookState(one, nowMs, isOver) === 'running');
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>Diagnose with esxtop</Title>
        <Text size="sm" c={dim}>
          {overview.origin === 'simulated'
            ? 'A minute of what the simulated hosts say of their VMs and LUNs, 30 rows of 2 s. Packets and co-stop are not in the model.'
            : 'A minute of esxtop over SSH, 30 rows of 2 s: vCenter tells means of 20 s. It takes some of the processor time of that host. Not yet run on ESXi: tried on captures of its form.'}
        </Text>
      </div>
      {!isOver && (
        <Group gap="xs" role="group" aria-label="Hosts">
          {hosts.map(({ ref, name }) => (
            <Button
              key={ref}
              size="xs"
              variant="default"
              disabled={!isPhase(overview.state)}
              loading={isRunning(ref)}
              aria-label={`Look at ${name} for a minute`}
              onClick={() => void ask(ref)}
            >
              {name}
            </Button>
          ))}
        </Group>
      )}
      {!isOver && !isPhase(overview.state) && (
        <Text size="sm">Hosts can be looked at while load runs.</Text>
      )}
      {refused !== '' && (
        <Text size="sm" role="alert">
          {refused}
        </Text>
      )}
      {looks.length === 0 && <Text size="sm">No host was looked at in this run.</Text>}
      {[...looks].reverse().map((look) => (
        <Look key={look.id} look={look} state={lookState(look, nowMs, isOver)} />
      ))}
    </Stack>
  );
}

const icons = {
  running: [IconClock, 'gray'],
  done: [IconCircleCheck, 'green'],
  failed: [IconCircleX, 'red'],
} as const;

function Look({ look, state }: { look: EsxtopLook; state: EsxtopLook['state'] }) {
  const [StateIcon, color] = icons[state];
  const title = `${look.hostName} at ${formatClock(look.atMs)}`;
  const found = look.sights.filter((one) => one.level > 0);
  return (
    <Paper p="sm" role="region" aria-label={title}>
      <Group gap={6} mb={4}>
        <StateIcon size={16} aria-hidden color={`var(--mantine-color-${color}-6)`} />
        <Title order={3}>{title}</Title>
        <Text size="sm" c={dim}>
          {state === 'running'
            ? `${look.rowsRead} of ${look.rows} rows`
            : `${look.rowsRead} rows of ${look.everyS} s`}
        </Text>
      </Group>
      {state === 'failed' && (
        <Text size="sm">
          {look.error ?? 'It was not finished: the engine or the run ended first.'}
        </Text>
      )}
      {state === 'done' && (
        <>
          <Text size="sm" mb={6}>
            {look.sights.length === 0
              ? 'esxtop told nothing of the VMs, LUNs and ports of this run.'
              : found.length === 0
                ? 'Nothing stands out: every figure is below where it begins to count.'
                : sentence(found[0]!)}
          </Text>
          {look.sights.length > 0 && <Sights title={title} sights={look.sights} />}
        </>
      )}
    </Paper>
  );
}

/** Three figures at most, whole numbers as they are; a word that is its own unit has none. */
const figure = (value: number, unit: string, label = ''): string => {
  const decimals = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : value < 10 ? 2 : 1;
  return `${formatExact(value, decimals)}${unit === label ? '' : ` ${unit}`}`;
};
const sentence = ({ kind, subject, mean, unit, from }: EsxtopSight): string =>
  `${esxtopSightWords[kind]}: ${subject}, ${figure(mean, unit)}, counts from ${figure(from, unit)}.`;

/** What was seen, the loudest first. */
function Sights({ title, sights }: { title: string; sights: readonly EsxtopSight[] }) {
  return (
    <Table aria-label={`What esxtop showed, ${title}`} verticalSpacing={2} fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>What</Table.Th>
          <Table.Th>Where</Table.Th>
          <Table.Th ta="right">Mean</Table.Th>
          <Table.Th ta="right">Most</Table.Th>
          <Table.Th ta="right">Counts from</Table.Th>
          <Table.Th>Beside it</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sights.map((one) => (
          <Table.Tr key={`${one.kind} ${one.subject}`} fw={one.level > 0 ? 600 : 400}>
            <Table.Td style={nowrap}>{esxtopSightWords[one.kind]}</Table.Td>
            <Table.Td>{one.subject}</Table.Td>
            <FigureCell value={one.mean} unit={one.unit} />
            <FigureCell value={one.most} unit={one.unit} />
            <Table.Td ta="right" title={one.source} style={nowrap}>
              {figure(one.from, one.unit)}
            </Table.Td>
            <Table.Td fw={400} c={dim}>
              {one.evidence
                .map(({ label, mean, unit }) => `${label} ${figure(mean, unit, label)}`)
                .join(', ')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const nowrap = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const;
const FigureCell = ({ value, unit }: { value: number; unit: string }) => (
  <Table.Td ta="right" data-raw={value} data-unit={unit} style={nowrap}>
    {figure(value, unit)}
  </Table.Td>
);
