import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconFlask, IconWand } from '@tabler/icons-react';
import { useNavigate } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { CustomerLabDraft } from '../../../core/customerLab/draft.ts';
import {
  faultsOf,
  gapsOf,
  labLimitsOf,
  withAllOffers,
  withOffer,
  withTyped,
} from '../../../core/customerLab/gaps.ts';
import type { LabParts } from '../../../core/customerLab/parts.ts';
import { useCustomerLabMakeMutation, useCustomerLabPartsQuery } from '../../engine/api.ts';
import { useSimulated, useWorkspace } from '../../engine/services.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import styles from './customerLab.module.css';
import { type CustomerLab, useCustomerLab } from './customerLabState.ts';
import { HostGroups } from './HostGroups.tsx';
import { LabWhole } from './LabWhole.tsx';
import { SourceFiles } from './SourceFiles.tsx';

/** A customer's lab, made of tables of their inventory or of parts, to be run as a study. */
export function CustomerLabPage() {
  const workspace = useWorkspace();
  const simulated = useSimulated();
  const parts = useCustomerLabPartsQuery({});
  if (!simulated)
    return (
      <Stack gap="md" maw={720}>
        <Title order={1}>Simulate a customer’s lab</Title>
        <Text>It is made in the demo lab, apart from what runs on real machines.</Text>
        <Group>
          <Button
            leftSection={<IconFlask size={16} aria-hidden />}
            onClick={() => workspace.open('simulated', '/lab/new')}
          >
            Open the demo lab
          </Button>
        </Group>
      </Stack>
    );
  // What was read stays while the engine is away, and with it the form.
  if (parts.error && parts.data === undefined)
    return (
      <Failure
        title="The library of parts cannot be read"
        error={parts.error as AppErrorShape}
        onRetry={() => void parts.refetch()}
      />
    );
  return parts.data === undefined ? (
    <Pending label="library of parts" rows={8} />
  ) : (
    <Form parts={parts.data} />
  );
}

function Form({ parts }: { parts: LabParts }) {
  const lab = useCustomerLab(parts);
  const { draft, set } = lab;
  const gaps = gapsOf(draft, parts);
  const faults = faultsOf(draft);
  const form = {
    draft,
    parts,
    gaps,
    faults,
    onTake: (gap: (typeof gaps)[number]) => set(withOffer(draft, gap)),
    onType: (path: string, label: string, value: number | string | boolean | null) =>
      set(withTyped(draft, { path, label }, value)),
  };
  return (
    <Stack gap="md" maw={1180}>
      <div>
        <Title order={1}>Simulate a customer’s lab</Title>
        <Text size="sm" c={dim} mt={4} maw={760}>
          How many tiles would their cluster hold? Take its hosts from a file, say what the file
          does not, and run it as a study.
        </Text>
      </div>
      {lab.waiting !== undefined && (
        <Paper p="md">
          <Group justify="space-between">
            <Text size="sm">{`${lab.waiting.origin} is ready: ${counted(lab.waiting.rows.hosts.length, 'host')}.`}</Text>
            <Button onClick={lab.takeWaiting}>Take it into the form</Button>
          </Group>
        </Paper>
      )}
      <SourceFiles lab={lab} />
      <TextInput
        label="Name of the lab"
        w={360}
        value={draft.name}
        error={draft.groups.length > 0 ? faults.get('name') : undefined}
        onChange={(event) => set({ ...draft, name: event.currentTarget.value })}
      />
      <HostGroups {...form} onSet={set} />
      {draft.groups.length > 0 && (
        <>
          <LabWhole {...form} />
          <section aria-label="Limits of the model">
            <Title order={2}>What the model does not know</Title>
            <ul className={styles.limits}>
              {labLimitsOf(draft, parts).map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          </section>
          <Foot lab={lab} parts={parts} gaps={gaps} faults={faults} />
        </>
      )}
    </Stack>
  );
}

function Foot({
  lab,
  parts,
  gaps,
  faults,
}: {
  lab: CustomerLab;
  parts: LabParts;
  gaps: ReturnType<typeof gapsOf>;
  faults: ReadonlyMap<string, string>;
}) {
  const navigate = useNavigate();
  const [make, making] = useCustomerLabMakeMutation();
  const { draft } = lab;
  const offered = gaps.filter(({ offer }) => offer !== null).length;
  const submit = async (): Promise<void> => {
    const made = await make(draft);
    if (made.error) return;
    lab.discard();
    void navigate(`/studies/${made.data.studyId}`);
  };
  return (
    <div className={styles.foot} role="group" aria-label="Make the lab">
      <Text size="sm" role="status">
        {stateWords(draft, gaps.length, faults)}
      </Text>
      <Group gap="sm">
        <Button variant="subtle" onClick={lab.discard}>
          Discard
        </Button>
        {offered > 0 && (
          <Button
            variant="default"
            leftSection={<IconWand size={16} aria-hidden />}
            onClick={() => lab.set(withAllOffers(draft, parts))}
          >
            {`Use all that is offered (${offered})`}
          </Button>
        )}
        <Button
          leftSection={<IconFlask size={16} aria-hidden />}
          disabled={gaps.length > 0 || faults.size > 0}
          loading={making.isLoading}
          onClick={() => void submit()}
        >
          Make the lab
        </Button>
      </Group>
    </div>
  );
}

function stateWords(
  draft: CustomerLabDraft,
  missing: number,
  faults: ReadonlyMap<string, string>,
): string {
  const [fault] = [...faults.values()];
  if (fault !== undefined) return `${counted(faults.size, 'figure')} to mend: ${fault}`;
  if (missing > 0)
    return `${counted(missing, 'figure')} missing: nothing is taken that nobody said.`;
  return draft.chosen.length === 0
    ? 'Complete. Simulated, not calibrated.'
    : `Complete; ${counted(draft.chosen.length, 'figure')} as offered. Simulated, not calibrated.`;
}
