import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';

import type { Profile, ProfileRule } from '../../../core/profile/profile.ts';
import { dim } from '../../kit/tones.ts';
import { ChoiceField, LengthField, LongField, NumberField, TextField } from './fields.tsx';
import { AddRow, RemoveRow } from './rows.tsx';

const kinds: { value: ProfileRule['kind']; label: string }[] = [
  { value: 'minimumHosts', label: 'At least so many hosts' },
  { value: 'standbyAlive', label: 'Standby VMs stay alive' },
  { value: 'noDroppedConnection', label: 'No dropped connection' },
  { value: 'qosEveryPeriod', label: 'QoS in every period' },
  { value: 'allTilesReport', label: 'Every tile measured' },
  { value: 'clientsKeptUp', label: 'Clients kept up' },
  { value: 'statement', label: 'A person confirms' },
];

interface Props {
  profile: Profile;
  onChange: (profile: Profile) => void;
}

/** What the profile is, its phases, and the rules of compliance. */
export function RulesForm({ profile, onChange }: Props) {
  return (
    <Stack gap="md">
      <Phases profile={profile} onChange={onChange} />
      <Compliance profile={profile} onChange={onChange} />
    </Stack>
  );
}

function Phases({ profile, onChange }: Props) {
  const set = (key: keyof Profile['phases'], value: number): void =>
    onChange({ ...profile, phases: { ...profile.phases, [key]: value } });
  const length = (key: keyof Profile['phases'], label: string) => (
    <LengthField
      path={`phases.${key}`}
      label={label}
      value={profile.phases[key]}
      onChange={(seconds) => set(key, seconds)}
    />
  );
  return (
    <Paper p="sm" component="section" aria-label="Phases">
      <Stack gap="xs">
        <Title order={3}>Phases a plan starts with</Title>
        <SimpleGrid cols={{ base: 2, md: 5 }} spacing="xs">
          {length('rampUpS', 'Ramp-up')}
          {length('staggerS', 'Stagger')}
          {length('steadyS', 'Steady state')}
          <NumberField
            path="phases.periods"
            label="Measurement periods"
            placeholder=""
            value={profile.phases.periods}
            onChange={(value) => {
              if (value !== null) set('periods', value);
            }}
          />
          {length('rampDownS', 'Ramp-down')}
        </SimpleGrid>
        <LongField
          path="phasesSource"
          label="Source of the phases"
          value={profile.phasesSource ?? ''}
          onChange={(phasesSource) => onChange({ ...profile, phasesSource })}
        />
      </Stack>
    </Paper>
  );
}

function Compliance({ profile, onChange }: Props) {
  const set = (patch: Partial<Profile>): void => onChange({ ...profile, ...patch });
  const rules = profile.rules ?? [];
  return (
    <Paper p="sm" component="section" aria-label="Compliance">
      <Stack gap="xs">
        <Title order={3}>Compliance</Title>
        <Group gap="xs" align="flex-start">
          <NumberField
            path="minimumHosts"
            label="Hosts at least"
            w={120}
            placeholder="1"
            value={profile.minimumHosts}
            onChange={(value) => set({ minimumHosts: value ?? 1 })}
          />
          <NumberField
            path="maximumTiles"
            label="Tiles at most"
            w={120}
            value={profile.maximumTiles}
            onChange={(maximumTiles) => {
              const { maximumTiles: _maximum, ...rest } = profile;
              onChange(maximumTiles === null ? rest : { ...rest, maximumTiles });
            }}
          />
          <TextField
            path="resultName"
            label="What a result is called"
            w={240}
            value={profile.resultName}
            onChange={(resultName) => set({ resultName })}
          />
        </Group>
        <Text size="sm" c={dim}>
          Every scored workload measured and every QoS limit kept in each period is always asked
          for. Rules beside that:
        </Text>
        {rules.map((rule, i) => (
          <RuleRow
            key={i}
            index={i}
            rule={rule}
            minimumHosts={profile.minimumHosts}
            onChange={(next) => set({ rules: rules.map((r, o) => (o === i ? next : r)) })}
            onRemove={() => set({ rules: rules.filter((_, other) => other !== i) })}
          />
        ))}
        <AddRow label="Add rule" onAdd={() => set({ rules: [...rules, newRule(rules)] })} />
      </Stack>
    </Paper>
  );
}

function RuleRow({
  index,
  rule,
  minimumHosts,
  onChange,
  onRemove,
}: {
  index: number;
  rule: ProfileRule;
  minimumHosts: number;
  onChange: (rule: ProfileRule) => void;
  onRemove: () => void;
}) {
  const at = `rules.${index}`;
  return (
    <Group gap="xs" align="flex-start" wrap="wrap" role="group" aria-label={`Rule ${index + 1}`}>
      <ChoiceField
        path={`${at}.kind`}
        label="Rule"
        w={210}
        data={kinds}
        value={rule.kind}
        onChange={(kind) => onChange({ ...rule, kind: kind as ProfileRule['kind'] })}
      />
      {(rule.kind === 'minimumHosts' || rule.kind === 'standbyAlive') && (
        <NumberField
          path={`${at}.value`}
          label="How many"
          w={90}
          placeholder={rule.kind === 'standbyAlive' ? 'All' : String(minimumHosts)}
          value={rule.value}
          onChange={(value) => {
            const { value: _value, ...rest } = rule;
            onChange(value === null ? rest : { ...rest, value });
          }}
        />
      )}
      <div style={{ flex: 1, minWidth: 240 }}>
        <LongField
          path={`${at}.text`}
          label="In words"
          value={rule.text}
          onChange={(text) => onChange({ ...rule, text })}
        />
      </div>
      <div style={{ flex: 1, minWidth: 240 }}>
        <LongField
          path={`${at}.source`}
          label="Source"
          value={rule.source}
          onChange={(source) => onChange({ ...rule, source })}
        />
      </div>
      <RemoveRow what={`rule ${index + 1}`} onRemove={onRemove} />
    </Group>
  );
}

/** A rule to fill in, with an id that is free. */
function newRule(rules: readonly ProfileRule[]): ProfileRule {
  const id = `rule${rules.length + 1}`;
  return {
    id: rules.some((r) => r.id === id) ? `${id}b` : id,
    kind: 'statement',
    text: '',
    source: '',
  };
}
