import { Checkbox, Stack } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';

import { createRedactor } from '../../core/redact/redactor.ts';
import { Doubts, useDoubts } from '../kit/Doubts.tsx';

/** How texts of a picture or a table leave: as they are, or redacted. */
export interface Leaving {
  text: (text: string) => string;
  /** Nothing is left to look at. */
  ready: boolean;
  /** The choice, and the words to look at. */
  controls: ReactNode;
}
const asIs = (text: string): string => text;
const none: readonly string[] = [];

/**
 * The choice of every export, for what is drawn here: names and addresses replaced by pseudonyms, doubtful words shown first.
 * `texts`: all that would leave; keep the same array while nothing changed. A chart does not know the names of its run: whatever is in no list of
 * known words leaves as a pseudonym.
 */
export function useLeaving(texts: readonly string[]): Leaving {
  const [redact, setRedact] = useState(false);
  const doubts = useMemo(() => {
    const redactor = createRedactor([]);
    for (const text of redact ? texts : none) redactor.text(text);
    return redactor.doubts();
  }, [redact, texts]);
  const { ready, props } = useDoubts(doubts);
  const text = useMemo(() => {
    if (!redact) return asIs;
    const redactor = createRedactor([], { keep: [...props.keep] });
    return (given: string) => redactor.text(given);
  }, [redact, props.keep]);
  return {
    text,
    ready,
    controls: (
      <Stack gap="xs">
        <Checkbox
          size="sm"
          label="Replace names and addresses"
          description="By pseudonyms that are the same throughout"
          checked={redact}
          onChange={(event) => setRedact(event.currentTarget.checked)}
        />
        <Doubts {...props} />
      </Stack>
    ),
  };
}
