import { seriesColors } from '../../../core/chart/palette.ts';

/** Colours of the stage, by what they are for. */
export interface StageTheme {
  ink: string;
  quiet: string;
  rack: string;
  edge: string;
  fill: string;
  near: string;
  over: string;
  lost: string;
  letter: string;
  onLost: string;
  accent: string;
  family: string;
}

/** Colours as the page's stylesheet has them now; without one (a test), those of the light theme. */
export function readStageTheme(element: Element): StageTheme {
  const style = getComputedStyle(element);
  const role = (name: string, fallback: string): string =>
    style.getPropertyValue(`--tb-${name}`).trim() || fallback;
  return {
    ink: role('text', 'black'),
    quiet: role('text-2', 'black'),
    rack: role('canvas', 'white'),
    edge: role('edge', 'gray'),
    fill: role('bar', 'blue'),
    near: role('bar-near', 'orange'),
    over: role('bar-over', 'red'),
    lost: role('lost', 'gray'),
    letter: role('on-bright', 'black'),
    onLost: role('surface', 'white'),
    accent: role('accent', 'blue'),
    family: style.fontFamily || 'sans-serif',
  };
}

/** Colour of a role: that of the designer's board. */
export const roleColor = (ordinal: number): string => seriesColors[ordinal % seriesColors.length]!;
