import { useMemo, useState } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { NamedRef } from '../../../core/testbed/testbed.ts';
import type { TestbedFile } from '../../../core/testbed/testbedFileTypes.ts';
import {
  type ImportLab,
  type ImportStep,
  importSteps,
  type Mapping,
  suggestedMapping,
} from '../../../core/testbed/testbedImport.ts';
import {
  useConnectionListQuery,
  useInventoryGetQuery,
  useProfileListQuery,
} from '../../engine/api.ts';

/** The lab that a testbed is taken over into. */
export interface TargetLab {
  lab: ImportLab;
  loaded: boolean;
  vcenters: readonly Connection[];
  /** The chosen one, else the one of the file's name, else the first. */ vcenterId: string | null;
  chooseVcenter: (id: string | null) => void;
  /** Why the inventory cannot be read. */ error: AppErrorShape | null;
  /** The vCenter was never discovered: there are no names to map to. */ undiscovered: boolean;
}

export function useTargetLab(file: TestbedFile): TargetLab {
  const { data: connections } = useConnectionListQuery({});
  const { data: profiles } = useProfileListQuery({});
  const vcenters = useMemo(
    () => connections?.filter((one) => one.kind === 'vcenter') ?? [],
    [connections],
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const vcenterId =
    chosen ?? vcenters.find((one) => one.name === file.from.vcenter)?.id ?? vcenters[0]?.id ?? null;
  const {
    data: inventory = null,
    error,
    isFetching,
  } = useInventoryGetQuery({ vcenterId: vcenterId ?? '' }, { skip: vcenterId === null });
  const profile = profiles?.find((one) => one.id === file.profile.id) ?? null;
  const lab = useMemo(
    (): ImportLab => ({
      inventory: vcenterId === null ? null : inventory,
      profile,
      clients: (connections ?? []).flatMap(({ kind, id, name }) =>
        kind === 'client' ? [{ ref: id, name }] : [],
      ),
    }),
    [vcenterId, inventory, profile, connections],
  );
  return {
    lab,
    loaded: connections !== undefined && profiles !== undefined,
    vcenters,
    vcenterId,
    chooseVcenter: setChosen,
    error: (error as AppErrorShape | undefined) ?? null,
    undiscovered: vcenterId !== null && !inventory && !isFetching,
  };
}

/** What each name of the file is here: as suggested, but where it was decided by hand. */
export interface ImportMapping {
  steps: readonly ImportStep[];
  mapping: Mapping;
  decide: (changes: ReadonlyMap<string, NamedRef | null>) => void;
}

export function useImportMapping(
  file: TestbedFile,
  { lab, vcenterId }: Pick<TargetLab, 'lab' | 'vcenterId'>,
): ImportMapping {
  const [decided, setDecided] = useState<{ of: string; map: Mapping } | null>(null);
  const steps = useMemo(() => importSteps(file, lab), [file, lab]);
  const suggested = useMemo(() => suggestedMapping(steps), [steps]);
  // What was chosen by hand is of one vCenter: another begins with its own suggestions.
  const mine = decided?.of === (vcenterId ?? '') ? decided.map : null;
  const mapping = useMemo(() => new Map([...suggested, ...(mine ?? [])]), [suggested, mine]);
  return {
    steps,
    mapping,
    decide: (changes) =>
      setDecided({ of: vcenterId ?? '', map: new Map([...(mine ?? []), ...changes]) }),
  };
}
