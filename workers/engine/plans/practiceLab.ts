import { parsePlanFile } from '../../../src/core/plan/planFile.ts';
import { leavesMachine } from '../../../src/core/planImport/loopback.ts';
import type { Handlers, Output } from '../../../src/wire/contract.ts';
import { sourceOf } from '../../../src/wire/importOwn.ts';
import type { Deps } from '../deps.ts';

type Found = Output<'plan.practiceLab'>;

/**
 * The practice lab that runs on this machine. It is the user's own where its file belongs to them
 * alone and all it names is on this machine; another's is told with the reason, and never asked for
 * anything.
 */
export function practiceLabMethods({
  practiceLab,
  lab,
  log,
}: Pick<Deps, 'practiceLab' | 'lab' | 'log'>): Pick<Handlers, 'plan.practiceLab'> {
  const find = async (which: 'lab' | 'styleTile'): Promise<Found['lab']> => {
    const file = (await practiceLab?.read(which)) ?? null;
    if (practiceLab === undefined || file === null) return null;
    const { path, text, stranger } = file;
    let source;
    try {
      source = sourceOf(parsePlanFile(path, text));
    } catch (thrown) {
      log.warn('The file of a practice lab is damaged', { path, error: String(thrown) });
      return null;
    }
    const notOwn = stranger ?? leavesMachine(source.file);
    if (notOwn === null) {
      const vcenter = source.file.connections.find(({ kind }) => kind === 'vcenter');
      if (vcenter?.kind !== 'vcenter') return null;
      // A lab that was killed leaves its file.
      if (!(await practiceLab.answers(vcenter.host, vcenter.port))) return null;
    }
    return { path, source, notOwn };
  };
  return {
    'plan.practiceLab': async (): Promise<Found> => {
      // What is simulated needs no lab.
      if (lab !== null) return { lab: null, styleTile: null };
      const found = await find('lab');
      return { lab: found, styleTile: found === null ? null : await find('styleTile') };
    },
  };
}
