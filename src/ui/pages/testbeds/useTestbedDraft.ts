import { notifications } from '@mantine/notifications';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';

import type { Connection } from '../../../core/testbed/connection.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { useTestbedSaveMutation } from '../../engine/api.ts';
import { draftDropped, drafted, useAppDispatch, useAppStore } from '../../engine/store.ts';
import { newId } from '../../kit/connectionWords.ts';
import { type Edits, useEdits } from '../designer/index.ts';
import { sameTestbed } from './sameContent.ts';

export interface TestbedDraft {
  edits: Edits;
  edited: boolean;
  /** A newer version was saved elsewhere. */ newer: boolean;
  /** It stands beside edits of here: one of the two has to be chosen. */ clashes: boolean;
  saving: boolean;
  /** Saves it, or a change of it that was made this moment; false = that was refused. */
  save: (changed?: Testbed) => Promise<boolean>;
  /** Gives up what was edited here for what is stored. */ takeStored: () => void;
}

/** What a new testbed begins with. */
export interface Beginnings {
  testbeds: readonly Pick<Testbed, 'name'>[];
  connections: readonly Connection[];
}

/** A new testbed with a name that is free; what there is only one of is chosen. */
function blankTestbed({ testbeds, connections }: Beginnings): Testbed {
  const taken = new Set(testbeds.map(({ name }) => name));
  const only = (kind: Connection['kind']): string[] => {
    const found = connections.filter((one) => one.kind === kind);
    return found.length === 1 ? [found[0]!.id] : [];
  };
  let number = 1;
  while (taken.has(`Testbed ${number}`)) number += 1;
  return {
    id: newId('testbed'),
    name: `Testbed ${number}`,
    version: 0,
    profileId: '',
    vcenterId: only('vcenter')[0] ?? null,
    powerIds: only('power'),
    tiles: [],
    notes: '',
  };
}

/** A testbed as it is edited; what is not saved survives leaving the page. */
export function useTestbedDraft(stored: Testbed | undefined, beginnings: Beginnings): TestbedDraft {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const form = `testbed ${stored?.id ?? 'new'}`;
  const store = useAppStore();
  // Read once: it follows what is edited here, and must not draw the page again after each edit.
  const [draft] = useState(() => store.getState().drafts[form] as Testbed | undefined);
  const [blank] = useState(() => blankTestbed(beginnings));
  const start = stored ?? blank;
  const edits = useEdits(draft ?? start);
  /**
   * What was loaded or saved last; null = a draft of an earlier visit, whose beginning is not
   * known.
   */
  const [base, setBase] = useState(draft ? null : start);
  const { testbed } = edits;
  const edited = useMemo(() => !sameTestbed(testbed, start), [testbed, start]);
  // A new one that is saved has a page of its own: what stands here is no draft any more.
  const moved = stored === undefined && testbed.version > 0;
  const [saveTestbed, saving] = useTestbedSaveMutation();
  useEffect(() => {
    dispatch(edited && !moved ? drafted({ form, values: testbed }) : draftDropped(form));
  }, [edited, moved, dispatch, form, testbed]);
  const newer = stored !== undefined && stored.version > testbed.version;
  // What provisioning or another window saved is shown at once where nothing was changed here since
  // the last save.
  const follows = newer && base !== null && sameTestbed(testbed, base);
  if (follows) {
    edits.replace(stored);
    setBase(stored);
  }
  return {
    edits,
    edited,
    newer,
    clashes: newer && !follows,
    saving: saving.isLoading,
    save: async (changed = testbed) => {
      const saved = await saveTestbed(changed);
      if (saved.error) return false;
      dispatch(draftDropped(form));
      edits.stamp(saved.data);
      setBase(saved.data);
      notifications.show({
        color: 'green',
        message: `${saved.data.name} saved as version ${saved.data.version}.`,
      });
      if (!stored) void navigate(`/testbeds/${saved.data.id}`, { replace: true });
      return true;
    },
    takeStored: () => {
      if (stored === undefined) return;
      dispatch(draftDropped(form));
      edits.replace(stored);
      setBase(stored);
    },
  };
}
