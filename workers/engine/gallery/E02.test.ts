import { e02 } from './E02.ts';
import { driveModel } from './testing/driveModel.ts';
import { meetsLines } from './testing/meetsLines.ts';

const view = driveModel(e02, ({ vms, outstanding }) => vms === 16 || outstanding === 8);

meetsLines(e02.expectations(view));
