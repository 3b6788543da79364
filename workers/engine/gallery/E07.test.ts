import { e07 } from './E07.ts';
import { driveModel } from './testing/driveModel.ts';
import { meetsLines } from './testing/meetsLines.ts';

meetsLines(e07.expectations(driveModel(e07)));
