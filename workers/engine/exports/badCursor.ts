import { type AppError, fail } from '../../../src/core/base/errors.ts';

export const badCursor = (cursor: string | null): AppError =>
  fail('invalidInput', `The export cursor ${cursor} is not valid.`, 'Start the export again.');
