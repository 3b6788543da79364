import { Alert, Button, Group, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import { leftBehind } from '../../../core/run/leftBehind.ts';
import type { RunOverview } from '../../../core/run/run.ts';

/**
 * Says that something of an ended run is still in the lab, and tries again to put it back; and says
 * when it is done; nothing where all is in place.
 */
export function LeftBehind({
  overview,
  onTidy,
}: {
  overview: RunOverview;
  onTidy: () => Promise<unknown>;
}) {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [tried, setTried] = useState(false);
  const left = leftBehind(overview);
  const tidy = async (): Promise<void> => {
    setBusy(true);
    setSaid('');
    try {
      await onTidy();
      setTried(true);
      setSaid('Tried again: what is listed here is still not back.');
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      setSaid([message, hint].filter(Boolean).join(' '));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div role="region" aria-label="Left behind" hidden={left.length === 0 && !tried}>
      {left.length === 0 && tried && (
        <Alert color="green" p="xs" role="status" title="All is back">
          The findings below say what was put right.
        </Alert>
      )}
      {left.length > 0 && (
        <Alert
          color="orange"
          icon={<IconArrowBackUp size={18} aria-hidden />}
          p="xs"
          title="This run left something behind"
        >
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              {left.map(({ id, text }) => (
                <Text key={id} size="sm">
                  {text}
                </Text>
              ))}
              <Text size="sm" fw={600} role="status">
                {said}
              </Text>
            </div>
            <Button size="xs" loading={busy} style={{ flexShrink: 0 }} onClick={() => void tidy()}>
              Put back now
            </Button>
          </Group>
        </Alert>
      )}
    </div>
  );
}
