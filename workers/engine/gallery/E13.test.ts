import { e13 } from './E13.ts';
import { driveModel } from './testing/driveModel.ts';

test.each(e13.expectations(driveModel(e13)).map((line) => [line.label, line] as const))(
  '%s',
  (_label, line) => {
    expect(line).toMatchObject({ inside: true });
  },
);
