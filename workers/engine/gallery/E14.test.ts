import { e14 } from './E14.ts';
import { driveModel } from './testing/driveModel.ts';

const view = driveModel(e14);

test.each(e14.expectations(view).map((line) => [line.label, line] as const))(
  '%s',
  (_label, line) => {
    expect(line).toMatchObject({ inside: true });
  },
);
