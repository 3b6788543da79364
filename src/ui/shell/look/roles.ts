/**
 * Colours by what they are for, in both themes; the only place of the interface where a colour of
 * the frame is written down. A component takes a role (`var(--tb-line)`), never a colour. Words keep
 * 4.5:1 on every ground they stand on, which `roles.test.ts` measures.
 */
export interface Shades {
  light: string;
  dark: string;
}

/** What things stand on, from the page up. */
export const grounds = {
  canvas: { light: '#f7f8fa', dark: '#0e1116' },
  surface: { light: '#ffffff', dark: '#161b22' },
  raised: { light: '#ffffff', dark: '#1d232c' },
  hover: { light: '#eef1f5', dark: '#232a34' },
} satisfies Record<string, Shades>;

/** What is read: each keeps 4.5:1 on every ground. */
export const inks = {
  text: { light: '#171c24', dark: '#e6eaf0' },
  'text-2': { light: '#475467', dark: '#aeb7c4' },
  'text-3': { light: '#5d6675', dark: '#939dac' },
  /** Action and selection, nothing else. */
  accent: { light: '#2159e0', dark: '#7aa2ff' },
  ok: { light: '#0f6e4f', dark: '#4cc38a' },
  warn: { light: '#ad4407', dark: '#f5a15b' },
  bad: { light: '#b42d26', dark: '#ff8f86' },
  run: { light: '#0b6f93', dark: '#5cc8ee' },
  lost: { light: '#475467', dark: '#98a2b3' },
} satisfies Record<string, Shades>;

/** Grounds under white words: each keeps 4.5:1 to white. */
export const fills = {
  'accent-filled': { light: '#2159e0', dark: '#2f62dd' },
  'accent-filled-hover': { light: '#1a49bd', dark: '#2655c8' },
  'bad-filled': { light: '#c0322b', dark: '#c0322b' },
  'bad-filled-hover': { light: '#a52822', dark: '#a52822' },
  /** The frame and the one chip of the simulated lab. */
  simulated: { light: '#8b3fd1', dark: '#8b3fd1' },
} satisfies Record<string, Shades>;

/** Lines and tints that carry no words of their own. */
const lines = {
  line: { light: '#e4e7ec', dark: '#2a313c' },
  /** Round what can be filled in or pressed. */
  edge: { light: '#cdd3dc', dark: '#3a4350' },
  period: { light: '#d5e2fb', dark: '#17305f' },
  star: { light: '#9a6700', dark: '#ffd43b' },
  mark: { light: '#ffe8a3', dark: '#5c4a00' },
} satisfies Record<string, Shades>;

/** Cells of a heat map: each ground with the ink that stands on it, at 4.5:1. */
export const heat = {
  good: { light: ['#c9e4d4', '#12351f'], dark: ['#1d4a30', '#d7f2e2'] },
  near: { light: ['#fbdf9d', '#4a3200'], dark: ['#6b4e08', '#ffeec2'] },
  over: { light: ['#c0322b', '#ffffff'], dark: ['#c93a33', '#ffffff'] },
  worse: { light: ['#f5c6c6', '#5c1212'], dark: ['#6b2222', '#ffdede'] },
  even: { light: ['#e6e8eb', '#2b3036'], dark: ['#363d47', '#e3e5e8'] },
} satisfies Record<string, Record<keyof Shades, readonly [ground: string, ink: string]>>;

/** Marks of charts and strips beside the series: seen, never read. */
const marks = {
  bar: { light: '#2f86d6', dark: '#2f86d6' },
  'bar-near': { light: '#b7791f', dark: '#e0a030' },
  'bar-over': { light: '#c0322b', dark: '#ff6b6b' },
  'bar-off': { light: '#c96c1e', dark: '#c96c1e' },
  span: { light: '#dbe4ee', dark: '#33475c' },
  muted: { light: '#b9bec6', dark: '#5b6068' },
  knee: { light: '#b8741a', dark: '#b8741a' },
  'knee-band': { light: 'rgb(200 120 20 / 17%)', dark: 'rgb(200 120 20 / 17%)' },
  /** Phases behind the lines of a chart; steady state is the ground itself. */
  band: { light: 'rgb(120 130 145 / 13%)', dark: 'rgb(160 170 185 / 13%)' },
  'band-steady': { light: 'rgb(120 130 145 / 3%)', dark: 'rgb(160 170 185 / 3%)' },
  /** What was not measured, hatched. */
  hatch: { light: 'rgb(128 136 148 / 25%)', dark: 'rgb(128 136 148 / 25%)' },
  tint: { light: 'rgb(128 136 148 / 7%)', dark: 'rgb(128 136 148 / 7%)' },
  'bad-tint': { light: 'rgb(192 50 43 / 9%)', dark: 'rgb(192 50 43 / 20%)' },
  'warn-tint': { light: 'rgb(181 71 8 / 10%)', dark: 'rgb(245 161 91 / 16%)' },
} satisfies Record<string, Shades>;

/** Ink on a fill, and on the bright blocks of a placement: the same by day and by night. */
const inksOnFills = {
  'on-fill': { light: '#ffffff', dark: '#ffffff' },
  'on-bright': { light: '#101113', dark: '#101113' },
} satisfies Record<string, Shades>;

/** A room is dark, whatever the theme: the presenter takes the dark shades. */
const stage = {
  canvas: grounds.canvas.dark,
  surface: grounds.surface.dark,
  line: lines.edge.dark,
  ink: inks.text.dark,
  'ink-2': inks['text-2'].dark,
  accent: inks.accent.dark,
  bad: inks.bad.dark,
  'bad-surface': '#2b1a1a',
  simulated: '#e599f7',
  'simulated-ink': '#f3d9fa',
  blank: '#000000',
  veil: 'rgb(0 0 0 / 72%)',
};

/** What lifts a card off the page: a shadow by day, a hairline by night. */
const shadows = {
  shadow: {
    light: '0 1px 2px rgb(16 24 40 / 6%), 0 0 0 1px rgb(16 24 40 / 5%)',
    dark: '0 0 0 1px #232a34',
  },
  'shadow-float': { light: '0 1px 4px rgb(0 0 0 / 25%)', dark: '0 1px 4px rgb(0 0 0 / 50%)' },
} satisfies Record<string, Shades>;

export const roles = { ...grounds, ...inks, ...fills, ...lines, ...shadows };

/** `--tb-<role>` of one theme. */
export function roleVariables(theme: keyof Shades): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, shades] of Object.entries({ ...roles, ...marks, ...inksOnFills }))
    variables[`--tb-${name}`] = shades[theme];
  for (const [name, cell] of Object.entries(heat)) {
    variables[`--tb-heat-${name}`] = cell[theme][0];
    variables[`--tb-heat-${name}-ink`] = cell[theme][1];
  }
  for (const [name, shade] of Object.entries(stage)) variables[`--tb-stage-${name}`] = shade;
  return variables;
}
