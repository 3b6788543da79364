import { e07 } from './E07.ts';
import { driveModel } from './testing/driveModel.ts';

test.each(e07.expectations(driveModel(e07)).map((line) => [line.label, line] as const))(
  '%s',
  (_label, line) => {
    expect(line).toMatchObject({ inside: true });
  },
);
