import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';

import { type CheckFinding, findingKey } from '../../../core/plan/plan.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';

/** Shortest reason that can say anything; the schema of a waiver has the same. */
const leastReason = 3;
const most = 500;

interface Props {
  planId: string;
  /** What one reason is asked for; none = closed. */ findings: readonly CheckFinding[];
  busy: boolean;
  onWaive: (reason: string) => Promise<boolean>;
  onClose: () => void;
}

/** Asks for the reason of a waiver. What is typed is kept when the dialog is closed. */
export function WaiveDialog(props: Props) {
  const { findings, onClose } = props;
  return (
    <Modal
      opened={findings.length > 0}
      onClose={onClose}
      title={
        findings.length > 1
          ? `Waive ${findings.length} findings`
          : `Waive: ${findings[0]?.title ?? ''}`
      }
      transitionProps={{ duration: 0 }}
    >
      {findings.length > 0 && <WaiveForm {...props} />}
    </Modal>
  );
}

function WaiveForm({ planId, findings, busy, onWaive, onClose }: Props) {
  const dispatch = useAppDispatch();
  const form = `waiver ${planId} ${findings.map(findingKey).join(' ')}`;
  const reason = useAppSelector((state) => state.drafts[form] as string | undefined) ?? '';
  const ready = reason.trim().length >= leastReason;
  const submit = async (): Promise<void> => {
    if (ready && (await onWaive(reason.trim()))) {
      dispatch(draftDropped(form));
      onClose();
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="sm">
        <Text size="sm" lineClamp={6}>
          {findings.length > 1
            ? findings.map(({ subject, title }) => subject ?? title).join(', ')
            : findings[0]?.evidence}
        </Text>
        <Textarea
          label="Reason"
          description="Stays with the plan and with every run of it"
          required
          autosize
          minRows={3}
          maxLength={most}
          data-autofocus
          value={reason}
          error={reason !== '' && !ready ? `At least ${leastReason} characters` : undefined}
          onChange={(event) => dispatch(drafted({ form, values: event.currentTarget.value }))}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready} loading={busy}>
            Waive
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
