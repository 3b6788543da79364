import { e14 } from './E14.ts';
import { driveModel } from './testing/driveModel.ts';
import { meetsLines } from './testing/meetsLines.ts';

const view = driveModel(e14);

meetsLines(e14.expectations(view));
