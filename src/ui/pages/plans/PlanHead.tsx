import { Badge, Button, Group, Menu, Stack, Text, Title } from '@mantine/core';

import type { Plan } from '../../../core/plan/plan.ts';
import { MoreMenu } from '../../kit/MoreMenu.tsx';
import { usePageActions } from '../../kit/pageActions.ts';
import { SplitButton } from '../../kit/SplitButton.tsx';
import { usePlanActions } from './usePlanActions.ts';
import type { PlanCheck } from './usePlanCheck.ts';
import type { PlanDraft } from './usePlanDraft.ts';

interface Props {
  draft: PlanDraft;
  stored: Plan | undefined;
  preflight: PlanCheck;
}

/** Which plan it is, whether it is saved, and what can be done with it. */
export function PlanHead(props: Props) {
  const { draft, stored } = props;
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Group gap="sm">
        <Title order={1}>{draft.plan.name || 'New plan'}</Title>
        {stored && <Text size="sm" c="dimmed">{`version ${stored.version}`}</Text>}
        {draft.edited && (
          <Badge variant="filled" color="orange.9" tt="none">
            Not saved
          </Badge>
        )}
      </Group>
      <PlanActions {...props} />
    </Group>
  );
}

function PlanActions({ draft, stored, preflight }: Props) {
  const { primary, others, save, more, busy } = usePlanActions(draft, stored, preflight);
  usePageActions([primary, ...others, ...(save ? [save] : []), ...more]);
  return (
    <Stack gap={4} align="flex-end">
      <Group gap={8} wrap="nowrap">
        {save && (
          <Button variant="default" loading={draft.saving} onClick={save.run}>
            {save.title}
          </Button>
        )}
        {more.length > 0 && (
          <MoreMenu sizePx={36}>
            {more.map(({ id, title, run }) => (
              <Menu.Item key={id} onClick={run}>
                {title}
              </Menu.Item>
            ))}
          </MoreMenu>
        )}
        <SplitButton primary={primary} others={others} busy={busy} />
      </Group>
      {draft.fault !== null && (
        <Text size="sm" role="status">
          {`Before it can be checked: ${draft.fault}.`}
        </Text>
      )}
    </Stack>
  );
}
