import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import type { GuestBundle } from '../../../core/roles/bundle.ts';
import { type GuestPlan, type GuestPlanItem, guestSettings } from '../../../core/roles/job.ts';
import { roleOf, roles } from '../../../core/roles/roles.ts';
import type { Role } from '../../../core/roles/types.ts';
import { bundleWarning, placeText, roleTitle, roleWork } from '../../../core/roles/words.ts';
import { useConnectionListQuery } from '../../engine/api.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { useFirst } from '../../kit/useFirst.tsx';
import { RoleFolds } from './RoleFolds.tsx';
import { SourcePart } from './SourcePart.tsx';
import type { Choice } from './words.ts';

interface Props {
  plan: GuestPlan;
  choiceOf: (key: string) => Choice;
  onChoose: (key: string, patch: Partial<Choice>) => void;
  /** Machines with a role and a login. */ ready: number;
  mirror: string;
  onMirror: (mirror: string) => void;
  bundles: readonly GuestBundle[];
  /** The one that is chosen. */ bundle: GuestBundle | null;
  onBundle: (sha256: string) => void;
  starting: boolean;
  /** It is what to do next here; else a retry is. */ first: boolean;
  onStart: () => void;
  /** More actions beside the first. */ more: ReactNode;
}
const shownAtFirst = 120;
const nowrap = { whiteSpace: 'nowrap' } as const;

/** Which machine gets which role by which login, and what that does to it. */
export function ChoicePart(props: Props) {
  const { plan, choiceOf, ready, mirror, bundle, starting, first, onStart, more } = props;
  const { shown, more: rest } = useFirst(plan.items, shownAtFirst, (n) => counted(n, 'machine'));
  const used = roles.filter(({ id }) => plan.items.some(({ key }) => choiceOf(key).roleId === id));
  const warnings = [
    ...new Set(used.flatMap((role) => role.warnings)),
    ...(bundle ? [bundleWarning] : []),
  ];
  const fault = guestSettings.safeParse({ mirror: mirror.trim() }).success
    ? null
    : 'An address that begins with http://, https:// or file:/ is needed.';
  const notBundled = bundle && lackingIn(bundle, used);
  const lacking = plan.items.filter(({ key }) => {
    const { roleId, connectionId } = choiceOf(key);
    return roleId !== null && connectionId === null;
  }).length;
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Text size="sm" fw={600} role="status">
          {`${ready} of ${counted(plan.items.length, 'machine')} can be prepared` +
            `${lacking > 0 ? `; ${lacking} ${lacking === 1 ? 'has' : 'have'} no login chosen` : ''}.`}
        </Text>
        <Group gap={8}>
          {more}
          <Button
            size="xs"
            variant={first ? 'filled' : 'default'}
            loading={starting}
            disabled={ready === 0 || fault !== null || notBundled !== null}
            onClick={onStart}
          >
            {`Prepare ${counted(ready, 'machine')}`}
          </Button>
        </Group>
      </Group>
      {lacking > 0 && <LoginHint />}
      {warnings.length > 0 && (
        <Alert
          color="orange"
          p="xs"
          icon={<IconAlertTriangle aria-hidden />}
          aria-label="What to know of these roles"
        >
          {warnings.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Alert>
      )}
      <ChoiceTable {...props} items={shown} />
      {rest}
      <SourcePart {...props} fault={fault} lacking={notBundled} />
      <RoleFolds roles={used} />
    </Stack>
  );
}

/** Which of these roles a bundle has no packages for; null = it has all. */
function lackingIn(bundle: GuestBundle, used: readonly Role[]): string | null {
  const titles = used
    .filter(({ id, packages }) => packages.length > 0 && !bundle.roles.includes(id))
    .map(({ title }) => title);
  return titles.length === 0 ? null : `It has no packages for ${titles.join('; ')}.`;
}

function LoginHint() {
  const navigate = useNavigate();
  return (
    <Group gap="sm">
      <Text size="sm" c={dim}>
        A machine is logged in to as a client machine of Connections; the one with its address or
        its name is chosen by itself.
      </Text>
      <Button size="xs" variant="default" onClick={() => void navigate('/connections')}>
        Add logins
      </Button>
    </Group>
  );
}

function ChoiceTable({
  items,
  choiceOf,
  onChoose,
}: Pick<Props, 'choiceOf' | 'onChoose'> & { items: readonly GuestPlanItem[] }) {
  const { data: connections = [] } = useConnectionListQuery({});
  const logins = connections
    .filter((one) => one.kind === 'client')
    .map(({ id, name }) => ({ value: id, label: name }));
  const roleChoices = roles.map(({ id, title }) => ({ value: id, label: title }));
  return (
    <Table.ScrollContainer
      minWidth={960}
      maxHeight={460}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, 'aria-label': 'Machines of the testbed, scrollable' },
      }}
    >
      <Table aria-label="Machines to prepare" stickyHeader fz="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Machine</Table.Th>
            <Table.Th>For</Table.Th>
            <Table.Th>Address</Table.Th>
            <Table.Th w={230}>Login</Table.Th>
            <Table.Th w={220}>Role</Table.Th>
            <Table.Th w="30%">What is done</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => {
            const { roleId, connectionId } = choiceOf(item.key);
            const place = placeText(item);
            return (
              <Table.Tr key={item.key}>
                <Table.Td className="mono" style={nowrap}>
                  {item.vm ?? 'no VM'}
                </Table.Td>
                <Table.Td style={nowrap}>{place}</Table.Td>
                <Table.Td className={item.address === null ? '' : 'mono'} style={nowrap}>
                  {item.address ?? 'not known'}
                </Table.Td>
                <Table.Td>
                  <Select
                    aria-label={`Login of ${place}`}
                    size="xs"
                    searchable
                    clearable
                    placeholder="Choose"
                    nothingFoundMessage="No login has this name"
                    data={logins}
                    value={connectionId}
                    onChange={(id) => onChoose(item.key, { connectionId: id })}
                  />
                </Table.Td>
                <Table.Td>
                  <Select
                    aria-label={`Role of ${place}`}
                    size="xs"
                    clearable
                    placeholder="Left alone"
                    data={roleChoices}
                    value={roleId !== null && roleOf(roleId) ? roleId : null}
                    onChange={(id) => onChoose(item.key, { roleId: id })}
                  />
                </Table.Td>
                <Table.Td>{whatIsDone(item, roleId)}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function whatIsDone({ preparedAs }: GuestPlanItem, roleId: string | null): string {
  if (preparedAs === null) return roleId === null ? 'Nothing.' : sentence(roleWork(roleId));
  const is = `Is prepared as ${roleTitle(preparedAs)}`;
  return roleId === null || roleId === preparedAs
    ? `${is}; what differs by now is done again.`
    : `${is}. ${sentence(roleWork(roleId))} Put it back first.`;
}
