import { e13 } from './E13.ts';
import { driveModel } from './testing/driveModel.ts';
import { meetsLines } from './testing/meetsLines.ts';

meetsLines(e13.expectations(driveModel(e13)));
