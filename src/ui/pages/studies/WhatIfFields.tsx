import { Button, Group, NativeSelect, NumberInput, Stack, Text, Title } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { nextHostId } from '../../../core/lab/editWords.ts';
import { type LabSpec, shownName } from '../../../core/lab/lab.ts';
import {
  type ArrayFigure,
  arrayFigures,
  arrayParts,
  type Figure,
  type HostFigure,
  hostFigures,
  isSolid,
  type LabEdit,
  type Raid,
} from '../../../core/lab/labEdit.ts';
import type { LabPicture } from '../../../core/lab/labPicture.ts';
import type { Output } from '../../../wire/contract.ts';
import { dim } from '../../kit/tones.ts';
import type { Part } from './TestbedPicture.tsx';

/** Makes a change; the words say why the lab cannot have it. */
type Apply = (edit: LabEdit) => string | null;
type Disks = Output<'study.lab'>['disks'];

interface Props {
  part: Part | null;
  lab: LabSpec;
  picture: LabPicture;
  disks: Disks;
  apply: Apply;
  onClose: () => void;
}

/** The fields of the part that was pressed. */
export function PartFields({ part, lab, picture, disks, apply, onClose }: Props) {
  if (part?.kind === 'host') {
    const row = picture.hosts[part.row];
    if (row !== undefined)
      return <HostFields key={row.ids.join(' ')} {...{ row, lab, apply, onClose }} />;
  }
  if (part?.kind === 'array') {
    const row = picture.arrays[part.row];
    if (row !== undefined)
      return <ArrayFields key={row.ids.join(' ')} {...{ row, lab, disks, apply }} />;
  }
  if (part?.kind === 'networkLinks')
    return <LinkFields title="Network links" properties={['uplinkGbps']} lab={lab} apply={apply} />;
  if (part?.kind === 'storageLinks')
    return (
      <LinkFields
        title="Storage links"
        properties={['hbaGbps', 'hbaQueueDepth']}
        lab={lab}
        apply={apply}
      />
    );
  return (
    <Text size="sm" c={dim}>
      No part is chosen. Press one in the drawing, or move to it with Tab and press Enter.
    </Text>
  );
}

function HostFields({
  row,
  lab,
  apply,
  onClose,
}: {
  row: LabPicture['hosts'][number];
  lab: LabSpec;
  apply: Apply;
  onClose: () => void;
}) {
  const { ids, name } = row;
  const hosts = lab.hosts.filter((host) => ids.includes(host.id));
  const last = ids.at(-1)!;
  const called = shownName(hosts.find(({ id }) => id === last) ?? { id: last });
  const [refusal, setRefusal] = useState<string | null>(null);
  return (
    <Stack gap="sm">
      <Title order={2}>{ids.length === 1 ? `${called}: ${name}` : name}</Title>
      <Group gap={8}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => {
            const refused = apply({ kind: 'removeHost', id: last });
            setRefusal(refused);
            if (refused === null && ids.length === 1) onClose();
          }}
        >
          {ids.length === 1 ? 'Remove host' : 'Remove one of them'}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() =>
            setRefusal(apply({ kind: 'addHost', id: nextHostId(lab, last), likeId: last }))
          }
        >
          Add one like it
        </Button>
      </Group>
      <Refusal words={refusal} />
      {(['coresPerSocket', 'ghz', 'memoryGb'] as const).map((property) => (
        <FigureField
          key={property}
          figure={hostFigures[property]}
          values={hosts.map(hostFigures[property].read)}
          onSet={(value) => apply({ kind: 'host', ids, property, value })}
        />
      ))}
    </Stack>
  );
}

function LinkFields({
  title,
  properties,
  lab,
  apply,
}: {
  title: string;
  properties: readonly HostFigure[];
  lab: LabSpec;
  apply: Apply;
}) {
  const ids = lab.hosts.map((host) => host.id);
  return (
    <Stack gap="sm">
      <Title order={2}>{`${title} of ${counted(ids.length, 'host')}`}</Title>
      {properties.map((property) => (
        <FigureField
          key={property}
          figure={hostFigures[property]}
          values={lab.hosts.map(hostFigures[property].read)}
          onSet={(value) => apply({ kind: 'host', ids, property, value })}
        />
      ))}
    </Stack>
  );
}

const raids: readonly Raid[] = ['0', '1', '10', '5', '6'];

function ArrayFields({
  row: { ids, name },
  lab,
  disks,
  apply,
}: {
  row: LabPicture['arrays'][number];
  lab: LabSpec;
  disks: Disks;
  apply: Apply;
}) {
  const parts = ids.map((id) => arrayParts(lab, id)!);
  const luns = parts.flatMap((part) => [...part.luns]);
  const figures: ArrayFigure[] = ['disks', 'luns', 'queueDepth', 'portGbps'];
  const levels = [...new Set(luns.map((lun) => lun.raid))];
  const under = disks.filter((disk) =>
    luns.every((lun) => lun.rpm === disk.rpm && lun.seekMs === disk.seekMs),
  );
  const [refusal, setRefusal] = useState<string | null>(null);
  return (
    <Stack gap="sm">
      <Title order={2}>{ids.length === 1 ? `${ids[0]!}: ${name}` : name}</Title>
      {figures.map((property) => (
        <FigureField
          key={property}
          figure={arrayFigures[property]}
          each={ids.length > 1 && (property === 'disks' || property === 'luns')}
          values={parts.map(arrayFigures[property].read)}
          onSet={(value) => apply({ kind: 'array', ids, property, value })}
        />
      ))}
      <NativeSelect
        label="RAID"
        value={levels.length === 1 ? levels[0]! : ''}
        data={[
          ...(levels.length === 1 ? [] : [{ value: '', label: 'Several levels' }]),
          ...raids.map((raid) => ({ value: raid, label: `RAID ${raid}` })),
        ]}
        onChange={(event) => {
          const raid = raids.find((one) => one === event.currentTarget.value);
          if (raid !== undefined) setRefusal(apply({ kind: 'raid', ids, raid }));
        }}
      />
      <NativeSelect
        label="Disks are"
        value={under.length === 1 ? under[0]!.name : ''}
        data={[
          ...(under.length === 1
            ? []
            : [{ value: '', label: luns.every(isSolid) ? 'SSD' : 'As the lab was given' }]),
          ...disks.map((disk) => disk.name),
        ]}
        onChange={(event) => {
          const disk = disks.find((one) => one.name === event.currentTarget.value);
          if (disk !== undefined) setRefusal(apply({ kind: 'disk', ids, ...disk }));
        }}
      />
      <Refusal words={refusal} />
    </Stack>
  );
}

/** One figure of some devices: set when the field is left or Enter is pressed. */
function FigureField({
  figure,
  values,
  each = false,
  onSet,
}: {
  figure: Pick<Figure<never>, 'label' | 'symbol' | 'min' | 'max'>;
  values: readonly number[];
  each?: boolean;
  onSet: (value: number) => string | null;
}) {
  const same = new Set(values).size === 1 ? values[0]! : null;
  const [typed, setTyped] = useState<{ of: number | null; value: number | string } | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const shown = typed !== null && typed.of === same ? typed.value : (same ?? '');
  const set = (): void => {
    if (typed === null || typed.of !== same) return;
    if (typed.value === '' || typed.value === same) {
      setTyped(null);
      setRefusal(null);
      return;
    }
    const refused = onSet(Number(typed.value));
    setRefusal(refused);
    if (refused === null) setTyped(null);
  };
  return (
    <NumberInput
      label={`${figure.label}${each ? ' of each' : ''}${figure.symbol === undefined ? '' : ` (${figure.symbol})`}`}
      placeholder={same === null ? [...new Set(values)].join(', ') : ''}
      min={figure.min}
      max={figure.max}
      clampBehavior="none"
      value={shown}
      error={refusal}
      onChange={(value) => setTyped({ of: same, value })}
      onBlur={set}
      onKeyDown={(event) => {
        if (event.key === 'Enter') set();
      }}
    />
  );
}

function Refusal({ words }: { words: string | null }) {
  return words === null ? null : (
    <Text size="sm" c="var(--tb-bad)" role="alert">
      {words}
    </Text>
  );
}
