import type { ImportId } from '../../../src/core/history/importForms.ts';
import { dbenchFile } from './dbench.ts';
import { dvdstore } from './dvdstore.ts';
import { esxtop } from './esxtop.ts';
import { fioFile } from './fioFile.ts';
import { iometer } from './iometer.ts';
import { sysbench } from './sysbench.ts';
import type { ImportFormat } from './types.ts';

/** What reads each form of `importForms.ts`. */
export const importers: Readonly<Record<ImportId, ImportFormat>> = {
  esxtop,
  iometer,
  fio: fioFile,
  dvdstore,
  dbench: dbenchFile,
  sysbench,
};
