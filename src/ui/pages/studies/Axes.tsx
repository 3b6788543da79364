import { Button } from '@mantine/core';

import type { Profile } from '../../../core/profile/profile.ts';
import { useDriverListQuery } from '../../engine/api.ts';
import { useSimulated } from '../../engine/services.ts';
import { AxisFields } from './AxisFields.tsx';
import { type AxisDraft, emptyAxis } from './studyForm.ts';

interface Props {
  axes: readonly AxisDraft[];
  errorOf: (field: string) => string | undefined;
  /** Of the plan that is chosen. */ profile: Profile | undefined;
  testbeds: readonly { id: string; name: string }[];
  profiles: readonly { id: string; name: string }[];
  onChange: (axes: AxisDraft[]) => void;
}

/** What the study sweeps: one axis, or two. */
export function Axes({ axes, errorOf, profile, testbeds, profiles, onChange }: Props) {
  const simulated = useSimulated();
  const { data: drivers = [] } = useDriverListQuery({});
  return (
    <>
      {axes.map((axis, i) => (
        <AxisFields
          key={i === 0 ? 'first' : 'second'}
          index={i}
          axis={axis}
          errorOf={errorOf}
          profile={profile}
          drivers={drivers}
          testbeds={testbeds}
          profiles={profiles}
          simulated={simulated}
          onChange={(next) => onChange(axes.map((a, n) => (n === i ? next : a)))}
          onRemove={i === 0 ? null : () => onChange(axes.slice(0, 1))}
        />
      ))}
      {axes.length === 1 && (
        <Button
          size="xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...axes, { ...emptyAxis('testbed'), label: 'Testbed' }])}
        >
          Add a second axis
        </Button>
      )}
    </>
  );
}
