import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';

import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { InfrastructureForm } from './InfrastructureForm.tsx';

const vm = (ref: string, template = false): Inventory['vms'][number] => ({
  ref,
  name: ref,
  hostRef: 'h1',
  datastoreRefs: ['ds1'],
  powerState: template ? 'poweredOff' : 'poweredOn',
  vcpus: 1,
  memoryMb: 1,
  guest: null,
  toolsStatus: null,
  ip: null,
  template,
  snapshotCount: 0,
});
const inventory: Inventory = {
  vcenterId: 'vc',
  product: 'p',
  version: '8',
  build: '1',
  instanceUuid: 'u',
  takenAtMs: 0,
  clusters: [],
  hosts: [],
  networks: [],
  datastores: ['ds1', 'maintenance'].map((ref) => ({
    ref,
    name: ref,
    type: null,
    capacityBytes: null,
    freeBytes: null,
    accessible: true,
    hostRefs: [],
    luns: [],
    instanceUuid: null,
  })),
  vms: [vm('mail'), vm('web'), vm('golden', true)],
};
const testbed: Testbed = {
  id: 't',
  name: 'T',
  version: 1,
  profileId: 'p',
  vcenterId: 'vc',
  powerIds: [],
  notes: '',
  tiles: [
    {
      index: 0,
      workloads: ['mail', 'web'].map((workloadId) => ({
        workloadId,
        vm: { ref: workloadId, name: workloadId },
        clientId: 'c',
        params: {},
      })),
    },
  ],
};
const rule = {
  combine: 'geometricMean' as const,
  hostsPerLoop: 2,
  hostsPerLoopSource: 's',
  source: 's',
  operations: [
    ['vmotion', 'vMotion'],
    ['storageVmotion', 'Storage vMotion'],
    ['deploy', 'Deploy'],
  ].map(([id, name]) => ({ id: id!, name: name!, reference: null, referenceSource: 's' })),
};

function shown(): { last: () => Testbed } {
  let last = testbed;
  function Page() {
    const [value, setValue] = useState(testbed);
    last = value;
    return (
      <InfrastructureForm testbed={value} rule={rule} inventory={inventory} onChange={setValue} />
    );
  }
  render(
    <MantineProvider env="test">
      <Page />
    </MantineProvider>,
  );
  return { last: () => last };
}

test('VMs, maintenance datastore and template are chosen by name; only what the profile counts is asked for', async () => {
  const user = userEvent.setup();
  const { last } = shown();
  expect(screen.queryByRole('combobox', { name: /XvMotion/ })).not.toBeInTheDocument();
  expect(screen.getByText(/vMotion, Storage vMotion, Deploy run in loops/)).toBeInTheDocument();
  await user.click(screen.getByRole('combobox', { name: 'VMs that vMotion moves' }));
  await user.click(screen.getByRole('option', { name: 'web' }));
  await user.click(
    screen.getByRole('combobox', { name: 'Storage vMotion: maintenance datastore' }),
  );
  await user.click(screen.getByRole('option', { name: 'maintenance' }));
  await user.click(screen.getByRole('combobox', { name: 'Deploy: template' }));
  await user.click(screen.getByRole('option', { name: 'golden' }));
  expect(last().infrastructure).toMatchObject({
    vmotionVmRefs: ['web'],
    storageVmotion: { vmRefs: ['mail'], datastoreRef: 'maintenance' },
    deploy: { templateRef: 'golden', datastoreRef: 'ds1' },
  });
});

test('an operation without a target says that it is not counted', () => {
  shown();
  expect(screen.getAllByPlaceholderText('None: not counted').length).toBeGreaterThanOrEqual(4);
});
