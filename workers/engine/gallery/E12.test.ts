import { e12 } from './E12.ts';
import { driveModel } from './testing/driveModel.ts';
import { meetsLines } from './testing/meetsLines.ts';

const view = driveModel(e12);

meetsLines(e12.expectations(view));
