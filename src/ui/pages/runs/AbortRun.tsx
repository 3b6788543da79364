import { Alert, Button, Group, Text } from '@mantine/core';
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
        {step === 'hard' ? 'Killing the load' : 'Ending load. Abort hard: kill, do not collect'}
      </Button>
    );
  }
  if (asked) return <Question onEnd={() => send(false)} onKeep={() => onAsk(false)} />;
  return (
    <Button
      size="xs"
      color="orange.9"
      variant="default"
      leftSection={<IconHandStop size={14} aria-hidden />}
      onClick={() => onAsk(true)}
    >
      Abort
    </Button>
  );
}

/**
 * What a graceful abort does, asked once. The answer has the focus: it took the place of the
 * pressed button.
 */
function Question({ onEnd, onKeep }: { onEnd: () => void; onKeep: () => void }) {
  const end = useRef<HTMLButtonElement>(null);
  useEffect(() => end.current?.focus(), []);
  return (
    <Alert
      p="xs"
      color="orange"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      title="Abort the run"
      role="alertdialog"
      aria-label="Abort the run"
      style={{ flexBasis: '100%' }}
    >
      <Text size="sm" mb={6}>
        Ends load, collects, keeps what was measured. The run ends aborted and gets no score.
      </Text>
      <Group gap={8}>
        <Button ref={end} size="xs" color="red.9" onClick={onEnd}>
          End load now
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          Keep running
        </Button>
      </Group>
    </Alert>
  );
}
