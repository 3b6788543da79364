import { inventorySchema } from '../../../src/core/testbed/inventory.ts';
import { changedSpec } from '../simlab/changes.ts';
import { createVirtualClock } from '../simlab/clock.ts';
import { createSimLab } from '../simlab/index.ts';
import { createLabModel } from '../simlab/model/model.ts';
import { e06 } from './E06.ts';

test('E06: the swept array stands in the inventory of each point, one array whose facts change', async () => {
  const clock = createVirtualClock({ startMs: 0, speed: null, paused: false });
  try {
    const told = [];
    for (const variant of ['CX500', 'CX3-20']) {
      const [given] = e06.labs;
      const { spec } = changedSpec(given!, { variant });
      const lab = createSimLab({ clock, createModel: createLabModel });
      lab.control.load(spec);
      const session = await lab.edges.vcenter.connect(
        {
          kind: 'vcenter',
          id: 'vc',
          name: 'vc',
          host: `${spec.id}.sim`,
          port: 443,
          user: 'u',
          password: { keychain: 'x' },
        },
        'any',
      );
      const inventory = inventorySchema.parse(await session.inventory());
      told.push(inventory.arrays!);
    }
    expect(told.map((arrays) => arrays.map(({ name, model }) => [name, model]))).toEqual([
      [['Disk array', 'CX500']],
      [['Disk array', 'CX3-20']],
    ]);
    const [older, newer] = told.map(([array]) => array!);
    expect(older!.writeCacheMb).toBe(512);
    expect(newer!.writeCacheMb).toBe(1_024);
    expect(older!.diskKind).not.toBe(newer!.diskKind);
    // A lab has no firmware: none is told.
    expect(older!.firmware).toBeNull();
    expect(older!.datastores.length).toBe(5);
  } finally {
    clock.close();
  }
});
