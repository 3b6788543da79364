import { e02 } from './E02.ts';
import { driveModel } from './testing/driveModel.ts';

const view = driveModel(e02, ({ vms, outstanding }) => vms === 16 || outstanding === 8);

test.each(e02.expectations(view).map((line) => [line.label, line] as const))(
  '%s',
  (_label, line) => {
    expect(line).toMatchObject({ inside: true });
  },
);
