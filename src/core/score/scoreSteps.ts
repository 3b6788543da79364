import { counted } from '../base/counted.ts';
import type { Profile } from '../profile/profile.ts';
import type { Score } from '../run/scoreTypes.ts';
import {
  aboveIdle,
  idleWords,
  methodWords,
  sharedWords,
  shareOf,
  type SteadyPower,
  uncertainText,
  type UncertainW,
} from '../run/steadyPower.ts';
import { applicationOf, formatResult } from './score.ts';
import {
  applicationPeriod,
  exactly,
  infrastructurePeriod,
  listed,
  ratio,
  ratioUnit,
  short,
  type StepContext,
} from './scorePeriodSteps.ts';
import type { ScoreStep } from './scoreStep.ts';

const ruleWords: Readonly<Record<string, string>> = {
  median: 'median',
  mean: 'mean',
  worst: 'least',
  notSet: 'no rule set, each',
};

/**
 * The whole calculation from the total down to the means of the samples. With an infrastructure
 * part: total → part → period → tile → workload; without: total → period → tile → workload.
 * Published part scores have no periods.
 */
export function scoreSteps(score: Score, profile?: Profile): ScoreStep {
  const context: StepContext = { profile, label: score.referenceLabel };
  const parts =
    score.infrastructure === undefined && score.application === undefined
      ? null
      : partSteps(score, context);
  const power = score.power === undefined ? [] : [powerStep(score)];
  if (parts) {
    const weights = score.weights ?? null;
    const words = (text: (value: number | null) => string): string =>
      weights === null
        ? `weights not set: application ${text(score.application ?? null)} and infrastructure ` +
          `${text(score.infrastructure ?? null)} stay apart`
        : `${weights.application} × ${text(score.application ?? null)} + ` +
          `${weights.infrastructure} × ${text(score.infrastructure ?? null)}`;
    return {
      key: 'total',
      label: 'Result',
      calculation: words(ratio),
      exact: `${words(exactly)} = ${exactly(score.total)}`,
      value: score.total,
      unit: ratioUnit,
      source: profile?.scoring.overall?.source ?? '',
      chosen: false,
      children: [...parts, ...power],
    };
  }
  const values = score.periods.map((p) => p.total);
  return {
    key: 'total',
    label: 'Result',
    ...overPeriods(score, values, score.total),
    value: score.total,
    unit: ratioUnit,
    source: periodSource(profile),
    chosen: false,
    children: [
      ...score.periods.map((p) =>
        applicationPeriod(p, p.index === score.chosenPeriod, 'p', context),
      ),
      ...power,
    ],
  };
}

function partSteps(score: Score, context: StepContext): ScoreStep[] {
  const { profile } = context;
  const applications = score.periods.map(applicationOf);
  const infrastructures = score.periods.map((p) => p.infrastructure?.score ?? null);
  const part = (
    key: string,
    label: string,
    values: readonly (number | null)[],
    value: number | null,
    children: ScoreStep[],
    published: string,
  ): ScoreStep => ({
    key,
    label,
    ...(values.length === 0
      ? { calculation: published, exact: `${published}: ${exactly(value)}` }
      : overPeriods(score, values, value)),
    value,
    unit: ratioUnit,
    source: values.length === 0 ? '' : periodSource(profile),
    chosen: false,
    children,
  });
  return [
    part(
      'application',
      'Application',
      applications,
      score.application ?? null,
      score.periods.map((p) => applicationPeriod(p, p.index === score.chosenPeriod, 'a', context)),
      'as published',
    ),
    part(
      'infrastructure',
      'Infrastructure',
      infrastructures,
      score.infrastructure ?? null,
      score.periods.flatMap((p) =>
        p.infrastructure
          ? [
              infrastructurePeriod(
                p.index,
                p.infrastructure,
                p.index === score.chosenPeriod,
                context,
              ),
            ]
          : [],
      ),
      'as published',
    ),
  ];
}

/** Words for how the periods became one value: the rule over all of them where each has a value. */
function overPeriods(
  score: Score,
  values: readonly (number | null)[],
  value: number | null,
): { calculation: string; exact: string } {
  const rule =
    values.length === 1 && score.periodRule === 'notSet'
      ? 'the only one'
      : (ruleWords[score.periodRule] ?? score.periodRule);
  const chosen =
    values.length > 1 && score.chosenPeriod !== null && score.infrastructure !== undefined
      ? ` (period ${score.chosenPeriod + 1} speaks)`
      : '';
  return {
    calculation:
      `${rule} of ${counted(values.length, 'period')}: ` +
      `${listed(values, (known) => known.map(ratio).join(', '))}${chosen}`,
    exact: `${rule} of ${values.map(exactly).join(', ')} = ${exactly(value)}`,
  };
}
const periodSource = (profile: Profile | undefined): string =>
  profile?.scoring.periodsSource ?? profile?.scoring.source ?? '';

const powerKinds = {
  server: 'server power',
  serverAndStorage: 'server and storage power',
  asMeasured: 'power as measured',
} as const;
function powerStep({ total, power }: Score): ScoreStep {
  const { kind, meanW, value, refused, measuredBy, source, steady } = power!;
  const kw = meanW === null ? null : meanW / 1_000;
  return {
    key: 'power',
    label: 'Performance a kilowatt',
    calculation:
      refused === null
        ? `${ratio(total)} ÷ ${short(kw)} kW, ${powerKinds[kind]} by ${measuredBy}, over the same periods`
        : `No figure: ${refused}`,
    exact: `${exactly(total)} ÷ ${exactly(kw)} kW = ${exactly(value)}`,
    value,
    unit: '1/kW',
    source,
    chosen: false,
    children: steady ? steadySteps(steady) : [],
  };
}

/** What the steady state used, its shares, and what load added to idle. */
function steadySteps(power: SteadyPower): ScoreStep[] {
  const { meanW, uncertaintyW, energyWh, windowS, tiles, vms, idle, measuredBy } = power;
  const mean = { watts: meanW, uncertaintyW };
  const above = aboveIdle(power);
  const step = (
    key: string,
    label: string,
    of: UncertainW,
    calculation: string,
    source: string,
  ): ScoreStep => ({
    key: `power.${key}`,
    label,
    calculation: `${uncertainText(of)}: ${calculation}`,
    exact: `${exactly(of.watts)} W`,
    value: of.watts,
    unit: 'W',
    source,
    chosen: false,
    children: [],
  });
  const share = (key: string, label: string, count: number): ScoreStep =>
    step(key, label, shareOf(mean, count), `${short(meanW)} W ÷ ${count}`, sharedWords);
  return [
    {
      key: 'power.energy',
      label: 'Energy of the steady state',
      calculation: `${short(meanW)} W over ${short(windowS)} s, by ${measuredBy}: ${methodWords[power.method]}`,
      exact: `${exactly(energyWh)} Wh`,
      value: energyWh,
      unit: 'Wh',
      source: methodWords[power.method],
      chosen: false,
      children: [],
    },
    share('tile', 'Power per tile', tiles),
    ...(vms > 0 ? [share('vm', 'Power per VM', vms)] : []),
    ...(idle && above
      ? [
          step(
            'aboveIdle',
            'Power above idle',
            above,
            `${short(meanW)} W − ${idleWords(idle)}`,
            `per tile ${uncertainText(shareOf(above, tiles))}`,
          ),
        ]
      : []),
  ];
}

/**
 * The steps as indented lines for a terminal: `Result 9.16 @ 11 tiles = 0.8 × 11.18 + 0.2 × 1.07`.
 */
export function stepLines(score: Score, profile?: Profile): string[] {
  const lines: string[] = [
    `${formatResult(score, profile?.scoring)} (${score.resultName})`,
    `References: ${score.referenceLabel}`,
  ];
  const walk = (step: ScoreStep, depth: number): void => {
    const value = step.value === null ? '–' : `${ratio(step.value)} ${step.unit}`;
    lines.push(
      `${'  '.repeat(depth)}${step.label}: ${value} = ${step.calculation}${step.chosen ? ' [speaks for the run]' : ''}`,
    );
    for (const child of step.children) walk(child, depth + 1);
  };
  walk(scoreSteps(score, profile), 0);
  for (const text of score.missing) lines.push(`Missing: ${text}`);
  for (const text of score.notes ?? []) lines.push(`Note: ${text}`);
  return lines;
}
