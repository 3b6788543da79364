import { Button, Code, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import type { GuestBundle } from '../../../core/roles/bundle.ts';
import { bundleText } from '../../../core/roles/words.ts';
import { useGuestDropBundleMutation, useGuestTakeBundleMutation } from '../../engine/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { dim } from '../../kit/tones.ts';

interface Props {
  mirror: string;
  onMirror: (mirror: string) => void;
  /** What is wrong with the mirror's address. */ fault: string | null;
  bundles: readonly GuestBundle[];
  bundle: GuestBundle | null;
  /** What the chosen bundle lacks. */ lacking: string | null;
  onBundle: (sha256: string) => void;
}

/** Where machines without internet take packages from: a mirror in the lab, or a bundle. */
export function SourcePart(props: Props) {
  const { mirror, onMirror, fault, bundles, bundle, lacking, onBundle } = props;
  const [taking, setTaking] = useState(false);
  const [drop, dropping] = useGuestDropBundleMutation();
  const title = ({ release, architecture, roles, madeAtMs }: GuestBundle): string =>
    `${new Date(madeAtMs).toISOString().slice(0, 10)} · ${release} ${architecture} · ${roles.join(', ')}`;
  return (
    <Stack gap="sm">
      <Group align="flex-start" gap="md">
        <TextInput
          label="APT mirror in the lab"
          description="For machines without internet; empty = the sources each machine has"
          placeholder="http://mirror.lab.example/debian"
          w={440}
          disabled={bundle !== null}
          value={mirror}
          error={fault}
          onChange={(event) => onMirror(event.currentTarget.value)}
        />
        <Select
          label="Bundle of packages"
          description="One file in place of a mirror, sent to each machine"
          placeholder="None"
          w={440}
          clearable
          nothingFoundMessage="None was taken in"
          data={bundles.map((one) => ({ value: one.sha256, label: title(one) }))}
          value={bundle?.sha256 ?? null}
          error={lacking}
          onChange={(sha256) => onBundle(sha256 ?? '')}
        />
      </Group>
      <Group gap={8}>
        <Button size="xs" variant="default" onClick={() => setTaking(true)}>
          Take in a bundle
        </Button>
        {bundle && (
          <Button
            size="xs"
            variant="default"
            loading={dropping.isLoading}
            onClick={() => void drop({ sha256: bundle.sha256 })}
          >
            Forget this bundle
          </Button>
        )}
      </Group>
      {bundle && (
        <Text size="sm" c={dim} style={{ overflowWrap: 'anywhere' }}>
          {`Packages come from the ${bundleText(bundle)}. SHA-256 `}
          <Text span inherit className="mono">
            {bundle.sha256}
          </Text>
        </Text>
      )}
      {taking && (
        <TakeDialog
          onTaken={(sha256) => {
            setTaking(false);
            onBundle(sha256);
          }}
          onClose={() => setTaking(false)}
        />
      )}
    </Stack>
  );
}

function TakeDialog({
  onTaken,
  onClose,
}: {
  onTaken: (sha256: string) => void;
  onClose: () => void;
}) {
  const [path, setPath] = useState('');
  const [take, taking] = useGuestTakeBundleMutation();
  const submit = async (): Promise<void> => {
    const taken = await take({ path: path.trim() });
    if (taken.data) onTaken(taken.data.sha256);
  };
  return (
    <Dialog title="Take in a bundle of packages" size="lg" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            A bundle holds the packages of roles with all that they need, for one release. It is
            made on a machine with Debian or Ubuntu that reaches a mirror:
          </Text>
          <Code block>tilebench guests bundle mariadb web --for debian-12 --out lab.tar</Code>
          <TextInput
            label="File"
            description="Whole path on the computer where the engine of this console runs"
            placeholder="/home/me/lab.tar"
            data-autofocus
            value={path}
            onChange={(event) => setPath(event.currentTarget.value)}
          />
          <Text size="sm" c={dim}>
            Each package is held against the list of the bundle before it is kept, and the whole
            file against its SHA-256 on each machine before anything is installed.
          </Text>
          <Group justify="flex-end">
            <Button type="submit" loading={taking.isLoading} disabled={path.trim() === ''}>
              Take in
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
