import { ActionIcon, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

import type { Profile, ProfileRule } from '../../../core/profile/profile.ts';
import { dim } from '../../kit/tones.ts';
import { ChoiceField, LongField, NumberField, TextField } from './fields.tsx';
import { useProfileForm } from './profileForm.ts';

const kinds: { value: ProfileRule['kind']; label: string }[] = [
  { value: 'minimumHosts', label: 'At least so many hosts' },
  { value: 'standbyAlive', label: 'Standby VMs stay alive' },
  { value: 'noDroppedConnection', label: 'No dropped connection' },
  { value: 'qosEveryPeriod', label: 'QoS in every period' },
  { value: 'allTilesReport', label: 'Every tile measured' },
  { value: 'statement', label: 'A person confirms' },
];

/** What the profile is, its phases, and the rules of compliance. */
export function RulesForm({
  profile,
  onChange,
}: {
  profile: Profile;
  onChange: (profile: Profile) => void;
}) {
  const { readOnly } = useProfileForm();
  const set = (patch: Partial<Profile>): void => onChange({ ...profile, ...patch });
  const phase = (key: keyof Profile['phases'], label: string) => (
    <NumberField
      path={`phases.${key}`}
      label={label}
      placeholder=""
      value={profile.phases[key]}
      onChange={(value) => {
        if (value !== null) set({ phases: { ...profile.phases, [key]: value } });
      }}
    />
  );
  const rules = profile.rules ?? [];
  const setRule = (index: number, patch: Partial<ProfileRule>): void =>
    set({ rules: rules.map((rule, i) => (i === index ? { ...rule, ...patch } : rule)) });
  return (
    <Stack gap="md">
      <Paper withBorder p="sm" component="section" aria-label="Phases">
        <Stack gap="xs">
          <Title order={3}>Phases a plan starts with</Title>
          <SimpleGrid cols={{ base: 2, md: 5 }} spacing="xs">
            {phase('rampUpS', 'Ramp-up (s)')}
            {phase('staggerS', 'Stagger (s)')}
            {phase('steadyS', 'Steady state (s)')}
            {phase('periods', 'Measurement periods')}
            {phase('rampDownS', 'Ramp-down (s)')}
          </SimpleGrid>
          <LongField
            path="phasesSource"
            label="Source of the phases"
            value={profile.phasesSource ?? ''}
            onChange={(phasesSource) => set({ phasesSource })}
          />
        </Stack>
      </Paper>
      <Paper withBorder p="sm" component="section" aria-label="Compliance">
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
          {rules.map((rule, i) => {
            const at = `rules.${i}`;
            return (
              <Group
                key={i}
                gap="xs"
                align="flex-start"
                wrap="wrap"
                role="group"
                aria-label={`Rule ${i + 1}`}
              >
                <ChoiceField
                  path={`${at}.kind`}
                  label="Rule"
                  w={210}
                  data={kinds}
                  value={rule.kind}
                  onChange={(kind) => setRule(i, { kind: kind as ProfileRule['kind'] })}
                />
                {(rule.kind === 'minimumHosts' || rule.kind === 'standbyAlive') && (
                  <NumberField
                    path={`${at}.value`}
                    label="How many"
                    w={90}
                    placeholder={
                      rule.kind === 'standbyAlive' ? 'All' : String(profile.minimumHosts)
                    }
                    value={rule.value}
                    onChange={(value) => {
                      const { value: _value, ...rest } = rule;
                      set({
                        rules: rules.map((r, o) =>
                          o === i ? (value === null ? rest : { ...rest, value }) : r,
                        ),
                      });
                    }}
                  />
                )}
                <div style={{ flex: 1, minWidth: 240 }}>
                  <LongField
                    path={`${at}.text`}
                    label="In words"
                    value={rule.text}
                    onChange={(text) => setRule(i, { text })}
                  />
                </div>
                <div style={{ flex: 1, minWidth: 240 }}>
                  <LongField
                    path={`${at}.source`}
                    label="Source"
                    value={rule.source}
                    onChange={(source) => setRule(i, { source })}
                  />
                </div>
                {!readOnly && (
                  <ActionIcon
                    mt={22}
                    variant="subtle"
                    color="red.8"
                    aria-label={`Remove rule ${i + 1}`}
                    onClick={() => set({ rules: rules.filter((_, other) => other !== i) })}
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
                  set({
                    rules: [
                      ...rules,
                      {
                        id: `rule${rules.length + 1}${rules.some((r) => r.id === `rule${rules.length + 1}`) ? 'b' : ''}`,
                        kind: 'statement',
                        text: '',
                        source: '',
                      },
                    ],
                  })
                }
              >
                Add rule
              </Button>
            </div>
          )}
        </Stack>
      </Paper>
    </Stack>
  );
}
