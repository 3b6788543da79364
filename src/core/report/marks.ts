import type { RunOverview } from '../run/run.ts';
import type { Report } from './model.ts';

/** What a reader must know of several runs before the first figure. */
export function marksOf(
  overviews: readonly Pick<RunOverview, 'name' | 'origin' | 'verdict'>[],
): Report['marks'] {
  const of = (origin: RunOverview['origin']): string[] =>
    overviews.filter((o) => o.origin === origin).map((o) => o.name);
  const which = (names: readonly string[]): string =>
    names.length === overviews.length ? 'All of these runs' : names.join(', ');
  const simulated = of('simulated'),
    replayed = of('replay');
  const broken = overviews.filter((o) => o.verdict?.compliant === false);
  return [
    ...(simulated.length === 0
      ? []
      : [
          {
            word: 'SIMULATED',
            reason:
              `${which(simulated)}: every number comes from the model of the simulated lab, ` +
              'none from real machines.',
          },
        ]),
    ...(replayed.length === 0
      ? []
      : [{ word: 'REPLAY', reason: `${which(replayed)}: a stored run, played again.` }]),
    ...(broken.length === 0
      ? []
      : [
          {
            word: 'NOT COMPLIANT',
            reason: broken.map((o) => `${o.name}: ${o.verdict!.sentence}`).join(' '),
          },
        ]),
  ];
}
