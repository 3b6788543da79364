import { ActionIcon, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

import type { Profile, Scoring } from '../../../core/profile/profile.ts';
import { bad, dim } from '../../kit/tones.ts';
import { CheckField, ChoiceField, LongField, NumberField, TextField } from './fields.tsx';
import { newOperation, useProfileForm } from './profileForm.ts';

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
      <Paper withBorder p="sm" component="section" aria-label="Application">
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
      <Infrastructure scoring={scoring} onChange={onChange} />
      <Power scoring={scoring} onChange={onChange} />
    </Stack>
  );
}

interface PartProps {
  scoring: Scoring;
  onChange: (scoring: Scoring) => void;
}

function Infrastructure({ scoring, onChange }: PartProps) {
  const { errors, readOnly } = useProfileForm();
  const { infrastructure, overall, ...rest } = scoring;
  const toggle = (on: boolean): void =>
    onChange(
      on
        ? {
            ...rest,
            infrastructure: {
              combine: 'geometricMean',
              operations: [{ ...newOperation([]), id: 'vmotion', name: 'vMotion' }],
              hostsPerLoop: null,
              hostsPerLoopSource: '',
              source: '',
            },
            overall: { application: null, infrastructure: null, source: '' },
          }
        : rest,
    );
  const operations = infrastructure?.operations ?? [];
  const put = (patch: Partial<NonNullable<Scoring['infrastructure']>>): void => {
    if (infrastructure) onChange({ ...scoring, infrastructure: { ...infrastructure, ...patch } });
  };
  const weigh = (patch: Partial<NonNullable<Scoring['overall']>>): void => {
    if (overall) onChange({ ...scoring, overall: { ...overall, ...patch } });
  };
  const setOperation = (index: number, patch: Partial<(typeof operations)[number]>): void =>
    put({ operations: operations.map((o, i) => (i === index ? { ...o, ...patch } : o)) });
  return (
    <Paper withBorder p="sm" component="section" aria-label="Infrastructure">
      <Stack gap="xs">
        <Title order={3}>Infrastructure</Title>
        <CheckField
          label="The profile has an infrastructure part"
          description="Operations an hour ÷ reference; one geometric mean, no sum over tiles"
          checked={infrastructure !== undefined}
          onChange={toggle}
        />
        {infrastructure && (
          <>
            {operations.map((o, i) => {
              const at = `scoring.infrastructure.operations.${i}`;
              return (
                <Group
                  key={i}
                  gap="xs"
                  align="flex-start"
                  wrap="wrap"
                  role="group"
                  aria-label={`Operation ${o.name || i + 1}`}
                >
                  <TextField
                    path={`${at}.name`}
                    label="Operation"
                    w={160}
                    value={o.name}
                    onChange={(name) => setOperation(i, { name })}
                  />
                  <TextField
                    path={`${at}.id`}
                    label="Id"
                    mono
                    w={140}
                    value={o.id}
                    onChange={(id) => setOperation(i, { id })}
                  />
                  <NumberField
                    path={`${at}.reference`}
                    label="Reference, an hour"
                    w={130}
                    value={o.reference}
                    onChange={(reference) => setOperation(i, { reference })}
                  />
                  <div style={grow(240)}>
                    <LongField
                      path={`${at}.referenceSource`}
                      label="Source"
                      value={o.referenceSource}
                      onChange={(referenceSource) => setOperation(i, { referenceSource })}
                    />
                  </div>
                  {!readOnly && operations.length > 1 && (
                    <ActionIcon
                      mt={22}
                      variant="subtle"
                      color="red.8"
                      aria-label={`Remove operation ${o.name || i + 1}`}
                      onClick={() =>
                        put({ operations: operations.filter((_, other) => other !== i) })
                      }
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
                  onClick={() => put({ operations: [...operations, newOperation(operations)] })}
                >
                  Add operation
                </Button>
              </div>
            )}
            <Group gap="xs" align="flex-start" wrap="wrap">
              <NumberField
                path="scoring.infrastructure.hostsPerLoop"
                label="Hosts a loop"
                w={110}
                value={infrastructure.hostsPerLoop}
                onChange={(hostsPerLoop) => put({ hostsPerLoop })}
              />
              <div style={grow(220)}>
                <LongField
                  path="scoring.infrastructure.hostsPerLoopSource"
                  label="Source of hosts a loop"
                  value={infrastructure.hostsPerLoopSource}
                  onChange={(hostsPerLoopSource) => put({ hostsPerLoopSource })}
                />
              </div>
              <div style={grow(220)}>
                <LongField
                  path="scoring.infrastructure.source"
                  label="Source of the rule"
                  value={infrastructure.source}
                  onChange={(source) => put({ source })}
                />
              </div>
            </Group>
            <Title order={3}>Total</Title>
            <Group gap="xs" align="flex-start" wrap="wrap">
              <NumberField
                path="scoring.overall.application"
                label="Weight of application"
                w={150}
                value={overall?.application}
                onChange={(application) => weigh({ application })}
              />
              <NumberField
                path="scoring.overall.infrastructure"
                label="Weight of infrastructure"
                w={160}
                value={overall?.infrastructure}
                onChange={(value) => weigh({ infrastructure: value })}
              />
              <div style={grow(240)}>
                <LongField
                  path="scoring.overall.source"
                  label="Source of the weights"
                  value={overall?.source ?? ''}
                  onChange={(source) => weigh({ source })}
                />
              </div>
            </Group>
            {errors['scoring.overall'] && (
              <Text size="sm" c={bad} role="alert">
                {errors['scoring.overall']}
              </Text>
            )}
            {overall && (overall.application === null || overall.infrastructure === null) && (
              <Text size="sm" c={dim}>
                Weights not set: the parts are shown apart, and no total is claimed.
              </Text>
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}

function Power({ scoring, onChange }: PartProps) {
  const { power, ...rest } = scoring;
  const put = (patch: Partial<NonNullable<Scoring['power']>>): void => {
    if (power) onChange({ ...scoring, power: { ...power, ...patch } });
  };
  return (
    <Paper withBorder p="sm" component="section" aria-label="Power">
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
