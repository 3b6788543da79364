import type { Handlers } from '../../../src/shared/contract.ts';
import { fail } from '../../../src/shared/errors.ts';

type StudyMethods = Pick<Handlers, 'study.list' | 'study.save' | 'study.remove' | 'study.overview' | 'study.start' | 'study.pause' | 'study.rerun' | 'gallery.list' | 'gallery.install'>;

export function studyMethods(): StudyMethods {
  const none = async (): Promise<never> => { throw fail('notFound', 'There is no study of that id.'); };
  return {
    'study.list': async () => [], 'study.save': none, 'study.remove': none, 'study.overview': none, 'study.start': none, 'study.pause': none, 'study.rerun': none,
    'gallery.list': async () => [], 'gallery.install': none,
  };
}
