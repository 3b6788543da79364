import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

import { metricNames } from '../../../core/metric/metric.ts';
import { metricWord } from '../../../core/metric/metricWords.ts';
import type { QosLimit } from '../../../core/profile/profile.ts';
import { dim } from '../../kit/tones.ts';
import { ChoiceField, LongField, NumberField, TextField } from './fields.tsx';
import { useProfileForm } from './profileForm.ts';

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
  const { readOnly } = useProfileForm();
  const set = (index: number, patch: Partial<QosLimit>): void =>
    onChange(limits.map((limit, i) => (i === index ? cleaned({ ...limit, ...patch }) : limit)));
  const choose = (index: number, choice: string): void =>
    set(
      index,
      choice === 'failurePct'
        ? { metric: 'errorRate', measure: 'failurePct', unit: '%' }
        : { metric: choice as QosLimit['metric'], measure: undefined, unit: unitOf(choice, unit) },
    );
  return (
    <Stack gap={6}>
      {limits.length === 0 && (
        <Text size="sm" c={dim}>
          No QoS limit.
        </Text>
      )}
      {limits.map((limit, i) => {
        const path = `${at}.qos.${i}`;
        return (
          <Group
            key={i}
            gap={8}
            align="flex-start"
            wrap="wrap"
            role="group"
            aria-label={`Limit ${i + 1}`}
          >
            <ChoiceField
              path={`${path}.metric`}
              label="Limit on"
              w={190}
              data={choices}
              value={limit.measure === 'failurePct' ? 'failurePct' : limit.metric}
              onChange={(choice) => choose(i, choice)}
            />
            <TextField
              path={`${path}.operation`}
              label="Operation"
              placeholder="All"
              w={120}
              value={limit.operation ?? ''}
              onChange={(operation) =>
                set(i, { operation: operation === '' ? undefined : operation })
              }
            />
            <NumberField
              path={`${path}.max`}
              label="At most"
              w={84}
              value={limit.max}
              onChange={(max) => set(i, { max: max ?? undefined })}
            />
            <NumberField
              path={`${path}.min`}
              label="At least"
              w={84}
              value={limit.min}
              onChange={(min) => set(i, { min: min ?? undefined })}
            />
            <TextField
              path={`${path}.unit`}
              label="Unit"
              w={90}
              value={limit.unit}
              onChange={(value) => set(i, { unit: value })}
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
              onChange={(over) => set(i, { over: over === 'steady' ? 'steady' : undefined })}
            />
            <div style={{ flex: 1, minWidth: 220 }}>
              <LongField
                path={`${path}.source`}
                label="Source"
                value={limit.source}
                onChange={(source) => set(i, { source })}
              />
            </div>
            {!readOnly && (
              <ActionIcon
                mt={22}
                variant="subtle"
                color="red.8"
                aria-label={`Remove limit ${i + 1}`}
                onClick={() => onChange(limits.filter((_, other) => other !== i))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        );
      })}
      {!readOnly && (
        <div>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={12} aria-hidden />}
            onClick={() =>
              onChange([...limits, { metric: 'latencyP95Ms', unit: 'ms', source: '' }])
            }
          >
            Add limit
          </Button>
        </div>
      )}
    </Stack>
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
