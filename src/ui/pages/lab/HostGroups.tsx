import {
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Paper,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

import { counted } from '../../../core/base/counted.ts';
import {
  type CustomerLabDraft,
  customerLabLimits,
  emptyGroup,
  groupFigureKeys,
  groupFigures,
  groupName,
  type HostGroup,
  hostsOf,
} from '../../../core/customerLab/draft.ts';
import { type Gap, takenWords } from '../../../core/customerLab/gaps.ts';
import { fitProcessor, type LabParts } from '../../../core/customerLab/parts.ts';
import { dim } from '../../kit/tones.ts';
import styles from './customerLab.module.css';
import { LabFigure } from './LabFigure.tsx';

interface Props {
  draft: CustomerLabDraft;
  parts: LabParts;
  gaps: readonly Gap[];
  faults: ReadonlyMap<string, string>;
  onSet: (draft: CustomerLabDraft) => void;
  /** One figure as it is typed. */
  onType: (path: string, label: string, value: number | null) => void;
  onTake: (gap: Gap) => void;
}

/** The hosts of the lab, equal ones as one group. */
export function HostGroups(props: Props) {
  const { draft, faults, onSet } = props;
  const put = (groups: HostGroup[]): void => onSet({ ...draft, groups });
  return (
    <Stack gap="sm" component="section" aria-label="Hosts">
      <Group justify="space-between">
        <Title order={2}>{`Hosts (${hostsOf(draft)})`}</Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => put([...draft.groups, emptyGroup(freeNames(draft, 4))])}
        >
          Add hosts
        </Button>
      </Group>
      {draft.groups.length === 0 && (
        <Text size="sm" c={dim}>
          No host yet. Choose a file of their inventory, or add hosts by hand.
        </Text>
      )}
      {faults.get('groups') !== undefined && draft.groups.length > 0 && (
        <Text size="sm" c="var(--tb-bad)" role="alert">
          {faults.get('groups')}
        </Text>
      )}
      {draft.groups.map((group, index) => (
        <HostCard key={index} {...props} group={group} index={index} put={put} />
      ))}
    </Stack>
  );
}

/** `esx1` and on, that no host of the draft has. */
function freeNames({ groups }: CustomerLabDraft, count: number): string[] {
  const taken = new Set(groups.flatMap(({ names }) => names));
  const names: string[] = [];
  for (let number = 1; names.length < count; number += 1)
    if (!taken.has(`esx${number}`)) names.push(`esx${number}`);
  return names;
}

function HostCard({
  draft,
  parts,
  gaps,
  faults,
  group,
  index,
  put,
  onType,
  onTake,
}: Props & { group: HostGroup; index: number; put: (groups: HostGroup[]) => void }) {
  const name = groupName(group);
  const change = (next: Partial<HostGroup>): void =>
    put(draft.groups.map((one, i) => (i === index ? { ...one, ...next } : one)));
  const fit = group.cpuModel === '' ? null : fitProcessor(group.cpuModel, parts);
  return (
    <Paper p="md" component="section" aria-label={`${counted(group.names.length, 'host')} ${name}`}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <div>
            <Title order={3}>{`${group.names.length} × ${name}`}</Title>
            <Text size="xs" c={dim} lineClamp={2}>
              {group.names.join(', ')}
            </Text>
          </div>
          <Button
            flex="none"
            size="compact-sm"
            variant="default"
            leftSection={<IconTrash size={14} aria-hidden />}
            aria-label={`Remove ${counted(group.names.length, 'host')} ${name}`}
            onClick={() => put(draft.groups.filter((_, i) => i !== index))}
          >
            Remove
          </Button>
        </Group>
        <div className={styles.fields}>
          <NumberInput
            label="Hosts"
            aria-label={`Hosts of ${name}`}
            min={1}
            max={customerLabLimits.hosts}
            value={group.names.length}
            onChange={(value) => {
              const count = Math.min(customerLabLimits.hosts, Math.floor(Number(value)));
              if (count >= 1)
                change({
                  names: [
                    ...group.names.slice(0, count),
                    ...freeNames(draft, Math.max(0, count - group.names.length)),
                  ],
                });
            }}
          />
          <ServerChoice group={group} parts={parts} name={name} onChange={change} />
          <ProcessorChoice group={group} parts={parts} name={name} onChange={change} />
        </div>
        {fit?.exact === false && (
          <Text size="sm" c="var(--tb-warn)">
            {`${group.cpuModel} is not in the library. Nearest: ${fit.why}. Use it below, or type what a core does.`}
          </Text>
        )}
        <div className={styles.fields}>
          {groupFigureKeys.map((key) => {
            const path = `groups.${index}.${key}`;
            const { label, unit } = groupFigures[key];
            return (
              <LabFigure
                key={key}
                label={label}
                name={`${label} of ${name}`}
                unit={unit}
                value={group[key]}
                error={faults.get(path)}
                gap={gaps.find((gap) => gap.path === path)}
                taken={takenWords(draft, `${label} of ${name}`)}
                onSet={(value) => onType(path, `${label} of ${name}`, value)}
                onTake={onTake}
              />
            );
          })}
        </div>
      </Stack>
    </Paper>
  );
}

interface Choice {
  group: HostGroup;
  parts: LabParts;
  name: string;
  onChange: (next: Partial<HostGroup>) => void;
}

/** A server of the library as a whole, or its name as it is. */
function ServerChoice({ group, parts, name, onChange }: Choice) {
  const known = parts.servers.some((server) => server.name === group.model);
  return (
    <div>
      <NativeSelect
        label="Server"
        aria-label={`Server of ${name}`}
        value={known ? group.model : ''}
        data={[
          {
            value: '',
            label: known || group.model === '' ? 'Another' : [group.vendor, group.model].join(' '),
          },
          ...parts.servers.map((server) => server.name),
        ]}
        onChange={(event) => {
          const server = parts.servers.find((one) => one.name === event.currentTarget.value);
          if (server === undefined) return;
          const { sockets, memoryGb, uplinks, uplinkGbps, idleW, busyW } = server;
          onChange({
            vendor: '',
            model: server.name,
            ...{ sockets, memoryGb, uplinks, uplinkGbps, idleW, busyW },
          });
        }}
      />
    </div>
  );
}

function ProcessorChoice({ group, parts, name, onChange }: Choice) {
  const known = parts.processors.some((processor) => processor.name === group.cpuModel);
  return known || group.cpuModel === '' ? (
    <NativeSelect
      label="Processor"
      aria-label={`Processor of ${name}`}
      value={known ? group.cpuModel : ''}
      data={[{ value: '', label: 'Another' }, ...parts.processors.map((one) => one.name)]}
      onChange={(event) => {
        const processor = parts.processors.find((one) => one.name === event.currentTarget.value);
        const core = parts.generations.find((one) => one.name === processor?.generation);
        if (processor === undefined || core === undefined) return;
        onChange({
          cpuModel: processor.name,
          coresPerSocket: processor.cores,
          ghz: processor.ghz,
          workPerGhz: core.workPerGhz,
          hyperThreadGain: core.hyperThreadGain,
        });
      }}
    />
  ) : (
    <TextInput
      label="Processor"
      aria-label={`Processor of ${name}`}
      value={group.cpuModel}
      readOnly
    />
  );
}
