import { Button, Group, Popover, Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

interface Props {
  /** The question is open. */ asked: boolean;
  onAsk: (asked: boolean) => void;
  onAbort: (hard: boolean) => Promise<void>;
  /** A graceful abort is under way, from here or from elsewhere. */ ending: boolean;
}

/** Abort in two steps: graceful first, hard second. Each says what it does before it is pressed. */
export function AbortRun({ asked, onAsk, onAbort, ending }: Props) {
  const [step, setStep] = useState<'idle' | 'sent' | 'hard'>('idle');
  const send = (hard: boolean): void => {
    setStep(hard ? 'hard' : 'sent');
    onAsk(false);
    onAbort(hard).catch(() => setStep(hard ? 'sent' : 'idle'));
  };
  if (step !== 'idle' || ending) {
    return (
      <Button
        size="xs"
        color="red.9"
        variant="filled"
        disabled={step === 'hard'}
        leftSection={<IconHandStop size={14} aria-hidden />}
        title="Kills the workloads at once and does not collect. Samples stored until now are kept."
        onClick={() => send(true)}
      >
        {step === 'hard' ? 'Killing the load' : 'Ending load. Kill it now'}
      </Button>
    );
  }
  return (
    <Popover
      opened={asked}
      onChange={onAsk}
      width={360}
      position="bottom-end"
      shadow="md"
      returnFocus
      withRoles={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconHandStop size={14} aria-hidden />}
          onClick={() => onAsk(!asked)}
        >
          Stop…
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="alertdialog" aria-label="Stop the run">
        <Question onEnd={() => send(false)} onKeep={() => onAsk(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** What a graceful end does, asked once. The answer has the focus. */
function Question({ onEnd, onKeep }: { onEnd: () => void; onKeep: () => void }) {
  const end = useRef<HTMLButtonElement>(null);
  useEffect(() => end.current?.focus(), []);
  return (
    <>
      <Text size="sm" fw={600} mb={4}>
        Stop the run
      </Text>
      <Text size="sm" mb={8}>
        Ends load, collects, keeps what was measured. The run ends aborted and gets no score.
      </Text>
      <Group gap={8}>
        <Button ref={end} size="xs" variant="filled" color="red.9" onClick={onEnd}>
          End load now
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          Keep running
        </Button>
      </Group>
    </>
  );
}
