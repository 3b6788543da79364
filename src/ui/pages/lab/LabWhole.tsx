import { NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';

import { counted } from '../../../core/base/counted.ts';
import type { CustomerLabDraft } from '../../../core/customerLab/draft.ts';
import {
  type Gap,
  type LabFigure as LabFigureKey,
  labFigures,
  takenWords,
} from '../../../core/customerLab/gaps.ts';
import type { LabParts } from '../../../core/customerLab/parts.ts';
import { dim } from '../../kit/tones.ts';
import styles from './customerLab.module.css';
import { LabFigure, Offer } from './LabFigure.tsx';

interface Props {
  draft: CustomerLabDraft;
  parts: LabParts;
  gaps: readonly Gap[];
  faults: ReadonlyMap<string, string>;
  onType: (path: string, label: string, value: number | string | boolean | null) => void;
  onTake: (gap: Gap) => void;
}
type ChoiceKey = 'hypervisor' | 'array' | 'adapter' | 'disk' | 'raid' | 'drs' | 'keepVms';

/** Storage, scheduler, VMs and load of the lab. */
export function LabWhole({ draft, parts, gaps, faults, onType, onTake }: Props) {
  const gapAt = (path: string): Gap | undefined => gaps.find((gap) => gap.path === path);
  const choice = (key: ChoiceKey, options: { value: string; label: string }[]) => {
    const value = draft[key];
    return (
      <div>
        <NativeSelect
          label={labFigures[key]}
          value={value === null ? '' : String(value)}
          data={[...(value === null ? [{ value: '', label: 'Missing' }] : []), ...options]}
          onChange={(event) => {
            const { value: next } = event.currentTarget;
            if (next !== '')
              onType(key, labFigures[key], key === 'keepVms' ? next === 'true' : next);
          }}
        />
        <Offer gap={gapAt(key)} taken={takenWords(draft, labFigures[key])} onTake={onTake} />
      </div>
    );
  };
  const figure = (key: LabFigureKey & ('arrayPorts' | 'disks' | 'tiles')) => (
    <LabFigure
      label={labFigures[key]}
      unit=""
      value={draft[key]}
      error={faults.get(key)}
      gap={gapAt(key)}
      taken={takenWords(draft, labFigures[key])}
      onSet={(value) => onType(key, labFigures[key], value)}
      onTake={onTake}
    />
  );
  const named = (list: readonly string[]) => list.map((one) => ({ value: one, label: one }));
  return (
    <>
      <Paper p="md" component="section" aria-label="Storage">
        <Stack gap="sm">
          <Title order={2}>{`Storage (${counted(draft.datastores.length, 'datastore')})`}</Title>
          <Datastores draft={draft} />
          <Offer gap={gapAt('datastores')} onTake={onTake} />
          <Offer gap={gapAt('capacities')} onTake={onTake} />
          <div className={styles.fields}>
            {choice('array', named(parts.arrays))}
            {figure('arrayPorts')}
            {choice('adapter', named(parts.adapters))}
            {choice('disk', named(parts.disks))}
            {figure('disks')}
            {choice(
              'raid',
              ['0', '1', '10', '5', '6'].map((raid) => ({ value: raid, label: `RAID ${raid}` })),
            )}
          </div>
        </Stack>
      </Paper>
      <Paper p="md" component="section" aria-label="Cluster and load">
        <Stack gap="sm">
          <Title order={2}>Cluster and load</Title>
          <div className={styles.fields}>
            {choice('hypervisor', named(parts.hypervisors))}
            {choice('drs', [
              { value: 'off', label: 'Off: VMs stay where they start' },
              ...[1, 2, 3, 4, 5].map((stars) => ({
                value: String(stars),
                label: counted(stars, 'star'),
              })),
            ])}
            {draft.vms.length > 0 &&
              choice('keepVms', [
                { value: 'false', label: `Leave all ${draft.vms.length} out` },
                { value: 'true', label: `Keep ${draft.vms.length}, without load` },
              ])}
            {figure('tiles')}
          </div>
        </Stack>
      </Paper>
    </>
  );
}

function Datastores({ draft: { datastores } }: { draft: CustomerLabDraft }) {
  const known = datastores.flatMap(({ capacityGb }) => capacityGb ?? []);
  const total = known.reduce((sum, one) => sum + one, 0);
  if (datastores.length === 0) return null;
  const names = datastores.slice(0, 8).map(({ name }) => name);
  return (
    <Text size="sm" c={dim}>
      {names.join(', ')}
      {datastores.length > names.length && ` and ${datastores.length - names.length} more`}
      {`: ${(total / 1_024).toFixed(1)} TB together. A table of inventory does not say what disks lie under them.`}
    </Text>
  );
}
