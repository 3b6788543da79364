import { neutralColor } from '../../core/chart/palette.ts';
import type { ChartTheme } from './draw.ts';

/** Colours of a chart as the page's stylesheet has them now. */
export function readTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element);
  const token = (name: string, fallback: string): string =>
    style.getPropertyValue(name).trim() || fallback;
  return {
    text: token('--tb-chart-ink', '#495057'),
    dimmed: token('--tb-chart-text', '#6b7280'),
    grid: token('--tb-chart-grid', '#dee2e6'),
    background: token('--tb-chart-background', '#ffffff'),
    limit: token('--tb-chart-limit', '#c92a2a'),
    muted: token('--tb-chart-muted', neutralColor),
    band: token('--tb-chart-band', 'rgba(128, 136, 148, 0.12)'),
    bandSteady: token('--tb-chart-band-steady', 'rgba(128, 136, 148, 0.02)'),
    bandOver: token('--tb-bad-tint', 'rgba(192, 50, 43, 0.09)'),
    kneeBand: token('--tb-knee-band', 'rgba(200, 120, 20, 0.17)'),
    font: `12px ${style.fontFamily || 'sans-serif'}`,
  };
}
