import { Checkbox, Stack, Text } from '@mantine/core';
import { type ReactNode, use, useEffect, useMemo, useState } from 'react';

import { toAppError } from '../../core/base/errors.ts';
import { createRedactor } from '../../core/redact/redactor.ts';
import { Doubts, useDoubts } from '../kit/Doubts.tsx';
import { dim } from '../kit/tones.ts';
import { type LeavingName, LeavingNamesContext } from './leavingNames.ts';

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
 * The choice of every export, for what is drawn here: names and addresses replaced by pseudonyms,
 * doubtful words shown first.
 * `texts`: all that would leave; keep the same array while nothing changed. A name of the run that
 * the page is about has the pseudonym it has in the run's reports and bundles; whatever else is in
 * no list of known words leaves as a pseudonym too.
 */
export function useLeaving(texts: readonly string[]): Leaving {
  const [redact, setRedact] = useState(false);
  const { names, fault } = useNames(redact);
  const doubts = useMemo(() => {
    if (names === null) return undefined;
    const redactor = createRedactor([], { known: names });
    for (const text of redact ? texts : none) redactor.text(text);
    return redactor.doubts();
  }, [redact, texts, names]);
  const { ready, props } = useDoubts(doubts);
  const text = useMemo(() => {
    if (!redact) return asIs;
    const redactor = createRedactor([], { keep: [...props.keep], known: names ?? [] });
    return (given: string) => redactor.text(given);
  }, [redact, props.keep, names]);
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
        {fault !== null && (
          <Text size="sm" c={dim} role="status">
            {`The pseudonyms of the run's report could not be read: ${fault} Names are replaced by others.`}
          </Text>
        )}
        <Doubts {...props} />
      </Stack>
    ),
  };
}

/**
 * Names of the page's run with their pseudonyms, read once they are asked for; null until they are
 * there.
 */
function useNames(asked: boolean): { names: readonly LeavingName[] | null; fault: string | null } {
  const load = use(LeavingNamesContext);
  const [read, setRead] = useState<{
    by: typeof load;
    names: readonly LeavingName[];
    fault: string | null;
  } | null>(null);
  useEffect(() => {
    if (!asked || load === null) return;
    let here = true;
    load().then(
      (names) => here && setRead({ by: load, names, fault: null }),
      (thrown: unknown) =>
        here && setRead({ by: load, names: noNames, fault: toAppError(thrown).message }),
    );
    return () => {
      here = false;
    };
  }, [asked, load]);
  if (!asked || load === null) return { names: noNames, fault: null };
  return read?.by === load
    ? { names: read.names, fault: read.fault }
    : { names: null, fault: null };
}
const noNames: readonly LeavingName[] = [];
