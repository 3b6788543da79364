import { Alert, Button, Modal, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { AppErrorShape } from '../../../core/base/errors.ts';
import { formatSi } from '../../../core/base/format.ts';
import type { BundlePreview } from '../../../wire/contract/leaving.ts';
import type { Confirmed } from '../../engine/exportRun.ts';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { Doubts, useDoubts } from '../../kit/Doubts.tsx';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { raw } from '../../kit/raw.ts';
import { Table } from '../../kit/Table.tsx';
import { type BundleSubject, useBundlePreviewQuery } from './bundleApi.ts';

interface Props {
  of: BundleSubject;
  onClose: () => void;
  onWrite: (redacted: boolean, decided: Confirmed) => void;
}

/**
 * What of a run, or of a story with its runs, would leave, before it does: parts, and each name with what stands in its place.
 */
export function BundleDialog({ of, onClose, onWrite }: Props) {
  // Headlines and notes were written to be read: replaced, a story tells nothing.
  const [redact, setRedact] = useState(of.kind === 'run');
  const { currentData: preview, error, refetch } = useBundlePreviewQuery({ ...of, redact });
  const { decided, ready, props } = useDoubts(preview?.doubts);
  return (
    <Modal
      opened
      onClose={onClose}
      title={of.kind === 'run' ? 'Bundle: what leaves' : 'Story with its runs: what leaves'}
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 0 }}
    >
      <Stack gap="sm">
        <Switch
          checked={redact}
          onChange={(event) => setRedact(event.currentTarget.checked)}
          label="Replace names and addresses by pseudonyms"
          description={
            'The same name has the same pseudonym throughout. In texts, words that are in no ' +
            'list of known words are replaced too.'
          }
        />
        {error !== undefined ? (
          <Failure
            title="The preview cannot be made"
            error={error as AppErrorShape}
            onRetry={() => void refetch()}
          />
        ) : preview === undefined ? (
          <Pending label="preview" />
        ) : (
          <>
            <Doubts {...props} />
            <Preview preview={preview} redact={redact} />
          </>
        )}
        <Text size="sm">Never in a bundle: passwords, keys and the list of connections.</Text>
        <DialogFoot>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button disabled={!ready} onClick={() => onWrite(redact, decided)}>
            {`Write ${redact ? 'redacted ' : ''}${of.kind === 'run' ? 'bundle' : 'story'}`}
          </Button>
        </DialogFoot>
      </Stack>
    </Modal>
  );
}

/** Logs by the hundred say no more than how many they are; all else stands by its name. */
function logsTogether(parts: BundlePreview['parts']): BundlePreview['parts'] {
  const logs = parts.filter(({ name }) => name.startsWith('log '));
  if (logs.length < 2) return parts;
  const together = {
    name: counted(logs.length, 'log'),
    holds: 'Commands and outputs of the workloads',
    bytes: logs.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
  };
  return parts.flatMap((part) =>
    part === logs[0] ? [together] : part.name.startsWith('log ') ? [] : [part],
  );
}

function Preview({
  preview: { parts, replacements },
  redact,
}: {
  preview: BundlePreview;
  redact: boolean;
}) {
  return (
    <>
      <Table aria-label="Parts" verticalSpacing={2}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Part</Table.Th>
            <Table.Th>Holds</Table.Th>
            <Table.Th ta="right">Bytes</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {logsTogether(parts).map((part) => (
            <Table.Tr key={part.name}>
              <Table.Td>{part.name}</Table.Td>
              <Table.Td>{part.holds}</Table.Td>
              <Table.Td ta="right" {...raw(part.bytes)}>
                {part.bytes === null ? '–' : formatSi(part.bytes)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!redact && (
        <Alert color="orange" variant="light" p="xs">
          Names of hosts, VMs, datastores and machines, and their addresses, leave as they are.
        </Alert>
      )}
      {redact && replacements.length > 0 && (
        <Table.ScrollContainer minWidth={480} mah={260} type="native">
          <Table aria-label="Replacements" stickyHeader verticalSpacing={2}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Kind</Table.Th>
                <Table.Th>Is</Table.Th>
                <Table.Th>Leaves as</Table.Th>
                <Table.Th ta="right">Places</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {replacements.map((r) => (
                <Table.Tr key={`${r.kind} ${r.from}`}>
                  <Table.Td>{r.kind}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{r.from}</Table.Td>
                  <Table.Td>{r.to}</Table.Td>
                  <Table.Td ta="right">{r.count}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}
