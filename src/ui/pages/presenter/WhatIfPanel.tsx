import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconMinus, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import { applyEdits } from '../../../core/lab/applyEdits.ts';
import { editWords, nextHostId, withEdit } from '../../../core/lab/editWords.ts';
import type { LabSpec } from '../../../core/lab/lab.ts';
import { hostFigures, isSolid, type LabEdit } from '../../../core/lab/labEdit.ts';
import type { StudySpec } from '../../../core/study/study.ts';
import { notCalibrated } from '../../../core/study/whatIf.ts';
import type { Output } from '../../../wire/contract.ts';
import { presentStudyPath } from '../../addresses/presentTarget.ts';
import {
  useStudyLabQuery,
  useStudyStartMutation,
  useStudyWhatIfMutation,
} from '../../engine/api.ts';
import { DrsSelect } from '../../kit/DrsSelect.tsx';
import { NumberField } from '../../kit/NumberField.tsx';
import styles from './presenter.module.css';

interface Props {
  spec: StudySpec;
  /** Where Esc leads from the changed lab's curve. */ from: string;
  /** How fast its runs go. */ onStart: () => void;
}

/** In a room: the simulated lab of what is on screen, changed in a word, run, and drawn beside it. */
export function WhatIfPanel(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  const lab = useStudyLabQuery({ id: props.spec.id });
  const isThere = lab.data !== undefined;
  useEffect(() => {
    if (isThere) box.current?.querySelector<HTMLElement>('button, input, select')?.focus();
    else box.current?.focus();
  }, [isThere]);
  return (
    <div
      ref={box}
      className={styles.panel}
      data-panel
      role="dialog"
      aria-label="What if"
      tabIndex={-1}
    >
      <h2>What if</h2>
      {lab.error !== undefined && <Text role="alert">{(lab.error as AppErrorShape).message}</Text>}
      {lab.data !== undefined && <Fields {...props} of={lab.data} />}
    </div>
  );
}

function Fields({ spec, from, onStart, of }: Props & { of: Output<'study.lab'> }) {
  const navigate = useNavigate();
  const [make, making] = useStudyWhatIfMutation();
  const [start, starting] = useStudyStartMutation();
  const [edits, setEdits] = useState<LabEdit[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const lab = useMemo(() => applyEdits(of.lab, edits), [of.lab, edits]);
  const words = editWords(of.lab, edits);
  const apply = (edit: LabEdit): void => {
    try {
      setEdits(withEdit(of.lab, edits, edit));
      setRefusal(null);
    } catch (thrown) {
      setRefusal(toAppError(thrown).message);
    }
  };
  const run = async (): Promise<void> => {
    const made = await make({
      id: spec.id,
      ...(of.base === null ? {} : { base: of.base }),
      values: [...spec.axes[0]!.values],
      edits,
    });
    if (made.error) return;
    onStart();
    const started = await start({ id: made.data.id });
    if (started.error) return;
    void navigate(`${presentStudyPath(made.data.id)}?from=${encodeURIComponent(from)}`);
  };
  const cores = [...new Set(lab.hosts.map(hostFigures.coresPerSocket.read))];
  const solid = lab.luns.length > 0 && lab.luns.every(isSolid);
  return (
    <Stack gap="sm">
      <HostCount lab={lab} apply={apply} />
      <NumberField
        label="Cores per socket, all hosts"
        placeholder={cores.join(', ')}
        value={cores.length === 1 ? cores[0]! : NaN}
        within={[hostFigures.coresPerSocket.min, hostFigures.coresPerSocket.max]}
        onChange={(value) =>
          apply({
            kind: 'host',
            ids: lab.hosts.map(({ id }) => id),
            property: 'coresPerSocket',
            value,
          })
        }
      />
      {lab.arrays.length > 0 && (
        <NativeSelect
          label="Disks are"
          value={of.disks.find(({ rpm }) => lab.luns.every((lun) => lun.rpm === rpm))?.name ?? ''}
          data={[
            { value: '', label: solid ? 'SSD' : 'As the lab was given' },
            ...of.disks.map(({ name }) => name),
          ]}
          onChange={(event) => {
            const disk = of.disks.find(({ name }) => name === event.currentTarget.value);
            if (disk) apply({ kind: 'disk', ids: lab.arrays.map(({ id }) => id), ...disk });
          }}
        />
      )}
      <DrsSelect drs={lab.drs} apply={apply} />
      {refusal !== null && <Text role="alert">{refusal}</Text>}
      <Text size="sm">{words.length === 0 ? 'No change yet.' : `${words.join('; ')}.`}</Text>
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={making.isLoading || starting.isLoading}
        disabled={edits.length === 0}
        onClick={() => void run()}
      >
        Run it beside the lab as it is
      </Button>
      <Text size="xs">{`${notCalibrated} Esc closes.`}</Text>
    </Stack>
  );
}

interface Part {
  lab: LabSpec;
  apply: (edit: LabEdit) => void;
}

function HostCount({ lab, apply }: Part) {
  const last = lab.hosts.at(-1)!;
  return (
    <Group gap="xs" role="group" aria-label="Hosts">
      <Button
        variant="default"
        aria-label="One host less"
        onClick={() => apply({ kind: 'removeHost', id: last.id })}
      >
        <IconMinus size={16} aria-hidden />
      </Button>
      <Text fw={600} aria-live="polite">
        {counted(lab.hosts.length, 'host')}
      </Text>
      <Button
        variant="default"
        aria-label="One host more"
        onClick={() => apply({ kind: 'addHost', id: nextHostId(lab, last.id), likeId: last.id })}
      >
        <IconPlus size={16} aria-hidden />
      </Button>
    </Group>
  );
}
