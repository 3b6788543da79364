import { useEffect, useMemo } from 'react';

import type { Forecast } from '../../../core/layout/layoutTypes.ts';
import type { LayoutView, SlotKey } from '../../../core/testbed/layoutModel.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import type { Commands } from './boardActions.ts';
import { generateStart, type GenerateValues } from './generate.ts';
import { GenerateDialog } from './GenerateDialog.tsx';
import type { Axis } from './geometry.ts';
import { KeysDialog } from './KeysDialog.tsx';
import { matchable } from './matchable.ts';
import { NamesDialog } from './NamesDialog.tsx';
import type { NamingValues } from './NamingFields.tsx';
import { Picker } from './Picker.tsx';
import { clientGroups, nameOfKeys, placeGroups, placeOfValue, vmGroups } from './pickers.ts';
import type { Edits } from './useEdits.ts';

export interface OpenDialog {
  what: 'move' | 'client' | 'vm' | 'generate' | 'names' | 'keys';
  axis: Axis;
  keys: readonly SlotKey[];
  /** What had the focus: it has it again afterwards. */ from: Element | null;
}
interface Props {
  dialog: OpenDialog;
  view: LayoutView;
  forecast: Forecast;
  edits: Edits;
  commands: Commands;
  clients: readonly { id: string; name: string }[];
  pattern: string;
  onClose: () => void;
}

/** The dialog that is open. What is typed into one is kept as a draft until it is used. */
export function DesignerDialogs(props: Props) {
  const { dialog, view, forecast, commands, onClose } = props;
  const { what, keys, from } = dialog;
  useFocusBack(from);
  const chosen = nameOfKeys(view, keys);
  switch (what) {
    case 'move':
      return (
        <Picker
          title={`Move ${chosen}`}
          field="Host or LUN"
          verb="moves"
          groups={placeGroups(view, forecast, dialog.axis)}
          onClose={onClose}
          onChoose={({ value }) => {
            const { axis, ref } = placeOfValue(value);
            commands.place(keys, axis, ref);
            onClose();
          }}
        />
      );
    case 'client':
      return (
        <Picker
          title={`Load ${chosen}`}
          field="Client machine"
          verb="takes it"
          groups={clientGroups(view)}
          onClose={onClose}
          onChoose={({ value }) => {
            commands.client(keys, value);
            onClose();
          }}
        />
      );
    case 'vm':
      return (
        <Picker
          title={`VM of ${chosen}`}
          field="VM"
          verb="assigns"
          groups={vmGroups(view)}
          onClose={onClose}
          onChoose={({ value }) => {
            commands.vm(keys[0]!, value);
            onClose();
          }}
        />
      );
    case 'names':
      return <MatchNames {...props} />;
    case 'generate':
      return <Generate {...props} />;
    case 'keys':
      return <KeysDialog onClose={onClose} />;
  }
}

/** VMs found by their names. */
function MatchNames({ view, edits, pattern, onClose }: Props) {
  const { testbed } = edits;
  const [values, setValues, dropValues] = useKept<NamingValues>(`names ${testbed.id}`, {
    pattern,
    ignoreCase: false,
  });
  const input = useMemo(() => matchable(view), [view]);
  return (
    <NamesDialog
      testbed={testbed}
      input={input}
      values={values}
      onValues={setValues}
      onApply={(change) => {
        edits.apply(change);
        dropValues();
      }}
      onClose={onClose}
    />
  );
}

/** A layout by policy. */
function Generate({ view, edits, clients, pattern, onClose }: Props) {
  const { testbed } = edits;
  const known = (list: readonly unknown[] = []): boolean => list.length > 0;
  const [values, setValues, dropValues] = useKept<GenerateValues>(
    `generate ${testbed.id}`,
    generateStart(Math.max(1, testbed.tiles.length), pattern, {
      hosts: known(view.inventory?.hosts),
      datastores: known(view.inventory?.datastores),
      clients: known(clients),
    }),
  );
  const input = useMemo(() => matchable(view), [view]);
  return (
    <GenerateDialog
      view={view}
      clients={clients}
      input={input}
      values={values}
      onValues={setValues}
      onApply={(change) => {
        edits.apply(change);
        dropValues();
      }}
      onClose={onClose}
    />
  );
}

/** Gives the focus back to what had it, when the dialog goes. */
function useFocusBack(from: Element | null): void {
  useEffect(
    () => () => {
      // A menu's entry is gone by then: the board goes on instead.
      const back =
        from instanceof HTMLElement &&
        from.isConnected &&
        from !== document.body &&
        from.getAttribute('role') !== 'menuitem'
          ? from
          : document.querySelector<HTMLElement>('[role="grid"]');
      back?.focus({ preventScroll: true });
    },
    [from],
  );
}

/** Values that outlive the dialog, the page and the program until they are dropped. */
function useKept<T>(form: string, start: T): [T, (values: T) => void, () => void] {
  const dispatch = useAppDispatch();
  const values = useAppSelector((state) => state.drafts[form] as T | undefined) ?? start;
  return [
    values,
    (next) => {
      dispatch(drafted({ form, values: next }));
    },
    () => {
      dispatch(draftDropped(form));
    },
  ];
}
