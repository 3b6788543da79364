import type { Act, ActState } from '../../../../src/core/acts/act.ts';
import { actLabel, inTime } from '../../../../src/core/acts/kinds.ts';
import type { Plan } from '../../../../src/core/plan/plan.ts';
import type { RunContext } from '../context.ts';
import type { LiveRun } from '../liveRun.ts';
import type { ActScene } from './types.ts';

/** The acts of a plan before any of them, in the order of their times; undefined = it has none. */
export function plannedActs({ acts = [] }: Plan): ActState[] | undefined {
  if (acts.length === 0) return undefined;
  return inTime(acts).map((act) => ({
    id: act.id,
    kind: act.kind,
    label: actLabel(act),
    plannedMs: null,
    by: act.by,
    state: 'planned',
    startedMs: null,
    doneMs: null,
    endedMs: null,
    text: '',
    owed: false,
    before: null,
  }));
}

/** How an act of a run stands; undefined = the run has no such act. */
export const actOf = (run: LiveRun, id: string): ActState | undefined =>
  run.overview().acts?.find((one) => one.id === id);

/** Changes how an act stands; stored before it is told, as what is owed must outlive a crash. */
export function changeAct(run: LiveRun, id: string, patch: Partial<ActState>): void {
  const { acts } = run.overview();
  if (acts)
    run.change({}, { acts: acts.map((one) => (one.id === id ? { ...one, ...patch } : one)) });
}

/** Says what happens to an act on the time axis of the run. */
export function tellAct(run: LiveRun, act: Act, text: string): void {
  run.event('act', text, {
    by: 'run',
    ...(act.target === null ? {} : { entityId: act.target.ref }),
  });
}

/** What an act is carried out with. */
export function sceneOf(context: RunContext, act: Act): ActScene {
  const { deps, connections, peers, run } = context;
  const { testbed } = run.record();
  const vcenter = connections.find((one) => one.id === testbed.vcenterId);
  return {
    context,
    act,
    session: (signal) => peers.vcenter(testbed.vcenterId ?? '', signal),
    lab:
      deps.lab === null || vcenter?.kind !== 'vcenter'
        ? null
        : { control: deps.lab, id: vcenter.host.replace(/\.sim$/, '') },
  };
}
