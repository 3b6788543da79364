import { Button, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';

import type { Gap } from '../../../core/customerLab/gaps.ts';
import { dim } from '../../kit/tones.ts';
import styles from './customerLab.module.css';

/** Why a field is empty, and what the library offers for it; or that its value was offered. */
export function Offer({
  gap,
  taken,
  onTake,
}: {
  gap: Gap | undefined;
  /** Of `takenWords`. */ taken?: string | undefined;
  onTake: (gap: Gap) => void;
}) {
  if (gap === undefined)
    return taken === undefined ? null : (
      <Text size="xs" c={dim} mt={4}>
        {`As offered: ${taken}`}
      </Text>
    );
  const { offer } = gap;
  return offer === null ? (
    <Text size="xs" c="var(--tb-warn)">
      Missing: no table says it
    </Text>
  ) : (
    <Text size="xs" c={dim} component="div" className={styles.offer}>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${gap.label}: use ${offer.text}`}
        onClick={() => onTake(gap)}
      >
        {`Use ${offer.text}`}
      </Button>
      <span>{offer.why}</span>
    </Text>
  );
}

/** One figure of the lab: empty while nobody has said it. */
export function LabFigure({
  label,
  name = label,
  unit,
  value,
  error,
  gap,
  taken,
  onSet,
  onTake,
}: {
  label: string;
  /** For who does not see where it stands. */ name?: string;
  unit: string;
  value: number | null;
  error: string | undefined;
  gap: Gap | undefined;
  taken: string | undefined;
  onSet: (value: number | null) => void;
  onTake: (gap: Gap) => void;
}) {
  // As it is typed, `0.` on the way to `0.9`, as long as it is the value that is kept.
  const [typed, setTyped] = useState<{ value: number | null; text: number | string } | null>(null);
  return (
    <div>
      <NumberInput
        label={unit === '' ? label : `${label} (${unit})`}
        aria-label={name}
        clampBehavior="none"
        value={typed !== null && typed.value === value ? typed.text : (value ?? '')}
        placeholder="missing"
        error={error}
        onChange={(text) => {
          const number = String(text).trim() === '' ? Number.NaN : Number(text);
          const next = Number.isFinite(number) ? number : null;
          setTyped({ value: next, text });
          onSet(next);
        }}
      />
      <Offer gap={gap} taken={taken} onTake={onTake} />
    </div>
  );
}
