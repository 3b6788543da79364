import { Group, Stack, Text } from '@mantine/core';

import { metricNames } from '../../../core/metric/metric.ts';
import { metricWord } from '../../../core/metric/metricWords.ts';
import type { QosLimit } from '../../../core/profile/profile.ts';
import { dim } from '../../kit/tones.ts';
import { ChoiceField, LongField, NumberField, TextField } from './fields.tsx';
import { AddRow, RemoveRow } from './rows.tsx';

interface Props {
  at: string;
  unit: string;
  limits: readonly QosLimit[];
  onChange: (limits: QosLimit[]) => void;
}

/**
 * What a workload can be limited in: the metrics a load program gives, and its share of failures.
 */
const limited = metricNames.slice(0, 6);
const choices = [
  ...limited.map((metric) => ({ value: metric, label: metricWord(metric) })),
  { value: 'failurePct', label: 'Share of failures' },
];
const unitOf = (choice: string, unit: string): string =>
  choice === 'failurePct'
    ? '%'
    : choice.endsWith('Ms')
      ? 'ms'
      : choice === 'throughput'
        ? unit
        : 'errors/s';

/** The QoS limits of a workload, a row each. */
export function LimitRows({ at, unit, limits, onChange }: Props) {
  return (
    <Stack gap={6}>
      {limits.length === 0 && (
        <Text size="sm" c={dim}>
          No QoS limit.
        </Text>
      )}
      {limits.map((limit, i) => (
        <LimitRow
          key={i}
          path={`${at}.qos.${i}`}
          index={i}
          limit={limit}
          unit={unit}
          onChange={(next) => onChange(limits.map((one, other) => (other === i ? next : one)))}
          onRemove={() => onChange(limits.filter((_, other) => other !== i))}
        />
      ))}
      <AddRow
        label="Add limit"
        onAdd={() => onChange([...limits, { metric: 'latencyP95Ms', unit: 'ms', source: '' }])}
      />
    </Stack>
  );
}

function LimitRow({
  path,
  index,
  limit,
  unit,
  onChange,
  onRemove,
}: {
  path: string;
  index: number;
  limit: QosLimit;
  /** Of the workload's throughput. */ unit: string;
  onChange: (limit: QosLimit) => void;
  onRemove: () => void;
}) {
  const set = (patch: Partial<QosLimit>): void => onChange(cleaned({ ...limit, ...patch }));
  const choose = (choice: string): void =>
    set(
      choice === 'failurePct'
        ? { metric: 'errorRate', measure: 'failurePct', unit: '%' }
        : { metric: choice as QosLimit['metric'], measure: undefined, unit: unitOf(choice, unit) },
    );
  return (
    <Group gap={8} align="flex-start" wrap="wrap" role="group" aria-label={`Limit ${index + 1}`}>
      <ChoiceField
        path={`${path}.metric`}
        label="Limit on"
        w={190}
        data={choices}
        value={limit.measure === 'failurePct' ? 'failurePct' : limit.metric}
        onChange={(choice) => choose(choice)}
      />
      <TextField
        path={`${path}.operation`}
        label="Operation"
        placeholder="All"
        w={120}
        value={limit.operation ?? ''}
        onChange={(operation) => set({ operation: operation === '' ? undefined : operation })}
      />
      <NumberField
        path={`${path}.max`}
        label="At most"
        w={84}
        value={limit.max}
        onChange={(max) => set({ max: max ?? undefined })}
      />
      <NumberField
        path={`${path}.min`}
        label="At least"
        w={84}
        value={limit.min}
        onChange={(min) => set({ min: min ?? undefined })}
      />
      <TextField
        path={`${path}.unit`}
        label="Unit"
        w={90}
        value={limit.unit}
        onChange={(value) => set({ unit: value })}
      />
      <ChoiceField
        path={`${path}.over`}
        label="Mean over"
        w={130}
        data={[
          { value: 'period', label: 'each period' },
          { value: 'steady', label: 'steady state' },
        ]}
        value={limit.over ?? 'period'}
        onChange={(over) => set({ over: over === 'steady' ? 'steady' : undefined })}
      />
      <div style={{ flex: 1, minWidth: 220 }}>
        <LongField
          path={`${path}.source`}
          label="Source"
          value={limit.source}
          onChange={(source) => set({ source })}
        />
      </div>
      <RemoveRow what={`limit ${index + 1}`} onRemove={onRemove} />
    </Group>
  );
}

/**
 * An absent member stays absent: a file that says nothing differs from one that says `undefined`.
 */
function cleaned(limit: QosLimit): QosLimit {
  return Object.fromEntries(
    Object.entries(limit).filter(([, value]) => value !== undefined),
  ) as QosLimit;
}
