import { e12 } from './E12.ts';
import { driveModel } from './testing/driveModel.ts';

const view = driveModel(e12);

test.each(e12.expectations(view).map((line) => [line.label, line] as const))(
  '%s',
  (_label, line) => {
    expect(line).toMatchObject({ inside: true });
  },
);
