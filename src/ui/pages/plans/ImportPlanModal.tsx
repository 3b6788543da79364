import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type ContextModalProps, modals } from '@mantine/modals';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { visibleText } from '../../../core/base/visibleText.ts';
import { type ImportDecisions, undecided } from '../../../core/planImport/decide.ts';
import type { ImportDecision, ImportPreview } from '../../../core/planImport/schema.ts';
import { ImportLoads } from '../../kit/ImportLoads.tsx';
import { ImportClashes } from './ImportClashes.tsx';
import { ImportPeers } from './ImportPeers.tsx';

export interface ImportPlanProps {
  preview: ImportPreview;
  /** Stores the file so; false where it was refused. */
  take: (decisions: ImportDecisions) => Promise<boolean>;
}

/**
 * What a plan file reaches, runs, changes and replaces, and the one question whether to take it.
 */
export function ImportPlanModal({
  id,
  innerProps: { preview, take },
}: ContextModalProps<ImportPlanProps>) {
  const [decisions, setDecisions] = useState<Record<string, ImportDecision>>({});
  const [taking, setTaking] = useState(false);
  const open = undecided(preview, decisions);
  const submit = async (): Promise<void> => {
    setTaking(true);
    if (await take(decisions)) modals.close(id);
    else setTaking(false);
  };
  const asks = preview.peers.filter(({ secret }) => secret === 'enter').length;
  return (
    <Stack gap="md">
      <Text size="sm">
        {`Plan ${visibleText(preview.plan.name)}. Nothing of the file is stored, sent or run before it is imported.`}
      </Text>
      {preview.clashes.length > 0 && (
        <ImportClashes
          clashes={preview.clashes}
          decisions={decisions}
          onDecide={(more) => setDecisions((now) => ({ ...now, ...more }))}
        />
      )}
      <ImportPeers peers={preview.peers} />
      <ImportLoads loads={preview.loads} />
      {preview.changes.length > 0 && (
        <Stack gap={4} component="section" aria-label="Changes in vCenter">
          <Text fw={600} size="sm">
            Changes in vCenter during a run
          </Text>
          {preview.changes.map((change) => (
            <Text key={change} size="sm">
              {visibleText(change)}
            </Text>
          ))}
        </Stack>
      )}
      {asks > 0 && (
        <Alert color="blue" p="xs" icon={<IconInfoCircle aria-hidden />}>
          <Text size="sm">
            {`${counted(asks, 'password or passphrase', 'passwords or passphrases')} to be ` +
              'entered under Connections afterwards: what is stored is for another host, port, ' +
              'user or fingerprint, or nothing is.'}
          </Text>
        </Alert>
      )}
      <Group justify="space-between">
        <Text size="sm" role="status">
          {open.length > 0
            ? `${counted(open.length, 'thing')} stored already: decide for each.`
            : preview.trusted
              ? 'Agreed to before.'
              : 'Import agrees to the connections, secrets and commands above.'}
        </Text>
        <Group gap={8}>
          <Button variant="default" onClick={() => modals.close(id)}>
            Cancel
          </Button>
          <Button disabled={open.length > 0} loading={taking} onClick={() => void submit()}>
            {preview.trusted ? 'Import' : 'Trust and import'}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
