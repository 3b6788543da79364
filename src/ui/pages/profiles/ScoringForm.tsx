import { Group, Paper, Stack, Text, Title } from '@mantine/core';

import type { Profile, Scoring } from '../../../core/profile/profile.ts';
import { dim } from '../../kit/tones.ts';
import { ChoiceField, LongField, NumberField } from './fields.tsx';
import { InfrastructureForm } from './InfrastructureForm.tsx';

const periodRules = [
  { value: 'median', label: 'Median of the periods' },
  { value: 'mean', label: 'Mean of the periods' },
  { value: 'worst', label: 'Worst period' },
  { value: 'notSet', label: 'Not set: one period only' },
];
const grow = (minWidth: number) => ({ flex: 1, minWidth });

/** How measurements become one number: the tile, the infrastructure part, the total, power. */
export function ScoringForm({
  profile,
  onChange,
}: {
  profile: Profile;
  onChange: (scoring: Scoring) => void;
}) {
  const { scoring } = profile;
  const set = (patch: Partial<Scoring>): void => onChange({ ...scoring, ...patch });
  return (
    <Stack gap="md">
      <Paper p="sm" component="section" aria-label="Application">
        <Stack gap="xs">
          <Title order={3}>Application</Title>
          <Text size="sm" c={dim}>
            Throughput ÷ reference = ratio; weighted geometric mean of a tile; sum over the tiles.
          </Text>
          <Group gap="xs" align="flex-start" wrap="wrap">
            <div style={grow(300)}>
              <LongField
                path="scoring.source"
                label="Source of the rule"
                value={scoring.source}
                onChange={(source) => set({ source })}
              />
            </div>
            <ChoiceField
              path="scoring.periods"
              label="What speaks for the run"
              w={220}
              data={periodRules}
              value={scoring.periods ?? 'notSet'}
              onChange={(rule) =>
                set({ periods: rule === 'notSet' ? null : (rule as 'median' | 'mean' | 'worst') })
              }
            />
            <div style={grow(220)}>
              <LongField
                path="scoring.periodsSource"
                label="Source of the period rule"
                value={scoring.periodsSource ?? ''}
                onChange={(periodsSource) => set({ periodsSource })}
              />
            </div>
            <NumberField
              path="scoring.number.decimals"
              label="Decimals printed"
              w={120}
              placeholder="2"
              value={scoring.number?.decimals}
              onChange={(decimals) => {
                const { number: _number, ...rest } = scoring;
                onChange(
                  decimals === null
                    ? rest
                    : { ...rest, number: { decimals, source: scoring.number?.source ?? '' } },
                );
              }}
            />
          </Group>
        </Stack>
      </Paper>
      <InfrastructureForm scoring={scoring} onChange={onChange} />
      <Power scoring={scoring} onChange={onChange} />
    </Stack>
  );
}

function Power({ scoring, onChange }: { scoring: Scoring; onChange: (scoring: Scoring) => void }) {
  const { power, ...rest } = scoring;
  const put = (patch: Partial<NonNullable<Scoring['power']>>): void => {
    if (power) onChange({ ...scoring, power: { ...power, ...patch } });
  };
  return (
    <Paper p="sm" component="section" aria-label="Power">
      <Stack gap="xs">
        <Title order={3}>Power</Title>
        <Group gap="xs" align="flex-start" wrap="wrap">
          <ChoiceField
            path="scoring.power.kind"
            label="Performance a kilowatt"
            w={230}
            value={power?.kind ?? 'asMeasured'}
            data={[
              { value: 'asMeasured', label: 'Where power is measured' },
              { value: 'server', label: 'Server power' },
              { value: 'serverAndStorage', label: 'Server and storage power' },
            ]}
            onChange={(kind) =>
              onChange(
                kind === 'asMeasured'
                  ? rest
                  : {
                      ...rest,
                      power: {
                        maxPeriodMs: null,
                        source: '',
                        ...power,
                        kind: kind as 'server' | 'serverAndStorage',
                      },
                    },
              )
            }
          />
          {power && (
            <NumberField
              path="scoring.power.maxPeriodMs"
              label="Longest period of a source (ms)"
              w={210}
              placeholder="As a measurement period"
              value={power.maxPeriodMs}
              onChange={(maxPeriodMs) => put({ maxPeriodMs })}
            />
          )}
          {power && (
            <div style={grow(240)}>
              <LongField
                path="scoring.power.source"
                label="Source"
                value={power.source}
                onChange={(source) => put({ source })}
              />
            </div>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
