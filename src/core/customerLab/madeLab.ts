import * as z from 'zod';

import { field } from '../base/field.ts';

/** A simulated lab that somebody had made, with what is removed with it. */
export const madeLab = z.object({
  id: field.id('lab'),
  name: field.name('lab'),
  hosts: field.count(),
  vms: field.count(),
  /** Its scaling study, or another of its studies; null = all were removed. */
  studyId: field.id('study').nullable(),
  connections: field.count(),
  /** Names. */ testbeds: field.list(field.name('testbed')),
  /** Names. */ plans: field.list(field.name('plan')),
  /** Names. */ studies: field.list(field.name('study')),
  /** Name of the run that uses it now; null = none. */ run: field.name('run').nullable(),
});
export type MadeLab = z.infer<typeof madeLab>;
