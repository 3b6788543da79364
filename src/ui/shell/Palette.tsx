import { Kbd } from '@mantine/core';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from 'react-router';

import { type CommandSpec, commandSpecs } from '../../wire/desktop.ts';
import {
  usePlanListQuery,
  useRunListQuery,
  useStudyListQuery,
  useTestbedListQuery,
} from '../engine/api.ts';
import { useAppSelector } from '../engine/store.ts';
import { useShownActions } from '../kit/pageActions.ts';
import { shortcutKeys } from '../kit/shortcutKeys.ts';
import classes from './palette.module.css';

/** Objects of one kind at most: a name that is typed finds the rest by its page. */
const mostOfKind = 200;

interface Named {
  id: string;
  name: string;
}

/**
 * What the page on show can do, every command, what was opened last, and every plan, testbed, run
 * and study by name.
 */
export function Palette({ onCommand }: { onCommand: (id: string) => void }) {
  const navigate = useNavigate();
  const page = useShownActions() ?? [];
  const recent = useAppSelector((state) => state.preferences.recent);
  const objects = useObjects();
  const byPath = new Map(objects.flatMap(({ things }) => things.map((one) => [one.path, one])));
  const open = ({ path, name }: Thing, id: string): SpotlightActionData => ({
    id,
    label: name,
    onClick: () => void navigate(path),
  });
  return (
    <Spotlight
      shortcut={null}
      maxHeight={480}
      scrollable
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      // The entries are chosen by arrows in the field: without a stop of its own nothing scrolls the
      // list by keys.
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: 'group', 'aria-label': 'Commands and names' },
      }}
      classNames={{
        action: classes.action,
        actionLabel: classes.label,
        actionsGroup: classes.group,
      }}
      nothingFound="No command, plan, testbed, run or study has this name"
      // Open and focused before the next key: an animation or a later focus loses the first letters
      // of a quick typist.
      transitionProps={{ duration: 0 }}
      searchProps={{
        placeholder: 'Command, plan, testbed, run or study',
        'aria-label': 'Command palette',
        autoFocus: true,
      }}
      limit={80}
      actions={[
        {
          group: 'On this page',
          actions: page.map(({ id, title, run }) => ({
            id: `page ${id}`,
            label: title,
            onClick: run,
          })),
        },
        {
          group: 'Opened last',
          actions: recent.flatMap((path) => {
            const thing = byPath.get(path);
            return thing ? [open(thing, `recent ${path}`)] : [];
          }),
        },
        {
          group: 'Commands',
          actions: commandSpecs
            .filter(({ id }) => id !== 'view.palette')
            .map((spec) => commandAction(spec, onCommand)),
        },
        ...objects.map(({ group, things }) => ({
          group,
          actions: things.map((thing) => open(thing, thing.path)),
        })),
      ]}
    />
  );
}

interface Thing {
  path: string;
  name: string;
}

/** Everything that has a page of its own. */
function useObjects(): { group: string; things: Thing[] }[] {
  const { data: plans = [] } = usePlanListQuery({});
  const { data: testbeds = [] } = useTestbedListQuery({});
  const { data: runs = [] } = useRunListQuery({});
  const { data: studies = [] } = useStudyListQuery({});
  const at = (place: string, named: readonly Named[]): Thing[] =>
    named.slice(0, mostOfKind).map(({ id, name }) => ({ path: `/${place}/${id}`, name }));
  return [
    { group: 'Plans', things: at('plans', plans) },
    { group: 'Testbeds', things: at('testbeds', testbeds) },
    { group: 'Runs', things: at('runs', runs) },
    { group: 'Studies', things: at('studies', studies) },
  ];
}

const commandAction = (
  { id, title, shortcut, alsoNamed }: CommandSpec,
  onCommand: (id: string) => void,
): SpotlightActionData => ({
  id,
  label: title,
  ...(alsoNamed ? { keywords: alsoNamed } : {}),
  onClick: () => onCommand(id),
  ...(shortcut
    ? {
        rightSection: (
          <span>
            {shortcutKeys(shortcut).map((key) => (
              <Kbd key={key} size="xs" mr={2}>
                {key}
              </Kbd>
            ))}
          </span>
        ),
      }
    : {}),
});
