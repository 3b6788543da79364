import { shapePath } from '../chart/xyModel.ts';
import type { FigurePoint, FigureSeries } from './model.ts';
import { dashed, round } from './svg.ts';

/** What is wrong with a point, drawn over it. */
export const cross = (x: number, y: number, color: string): string =>
  `<path d="M${round(x - 4)} ${round(y - 4)}l8 8m0 -8l-8 8" stroke="${color}" stroke-width="2" fill="none"/>`;
const dot = (
  { shape, color, hollow }: FigureSeries,
  x: number,
  y: number,
  paper: string,
): string =>
  shape === null
    ? ''
    : `<path transform="translate(${round(x)} ${round(y)})" ` +
      `d="${shapePath(shape, hollow ? 5.5 : 4)}" fill="${hollow ? paper : color}" ` +
      `stroke="${color}" ` +
      `stroke-width="${hollow ? 1.8 : 0.8}"${hollow ? ' fill-opacity="0.6"' : ''}/>`;
/** A series as its legend shows it. */
export const keySvg = (series: FigureSeries, x: number, y: number, paper: string): string =>
  `${
    series.line === 'none'
      ? ''
      : `<line x1="${round(x)}" x2="${round(x + 18)}" y1="${y}" y2="${y}" stroke="${series.color}" ` +
        `stroke-width="2"${dashed(series.dash)}/>`
  }${
    series.fill || (series.line === 'none' && series.shape === null)
      ? `<rect x="${round(x)}" y="${y - 5}" width="18" height="10" fill="${series.color}" ` +
        `fill-opacity="0.3" stroke="${series.color}"/>`
      : ''
  }${dot(series, x + 9, y, paper)}`;

/** One entry of a legend by itself, for pages that make their own. */
export const legendKey = (series: FigureSeries): string =>
  `<svg width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">${keySvg(series, 1, 6, 'none')}</svg>`;

/** A series in its plot: its area and line, and its points with their spread, box and flaw. */
export function seriesSvg(
  series: FigureSeries,
  at: (p: FigurePoint) => number,
  py: (y: number) => number,
  floor: number,
  bad: string,
  paper: string,
): string {
  const { points, color, dash, line, fill } = series;
  const ordered = line === 'straight' ? [...points].sort((a, b) => a.x - b.x) : points;
  const path =
    line === 'none' || ordered.length < 2
      ? ''
      : ordered
          .map((p, i) =>
            i === 0
              ? `M${round(at(p))} ${round(py(p.y))}`
              : line === 'step'
                ? `H${round(at(p))}V${round(py(p.y))}`
                : `L${round(at(p))} ${round(py(p.y))}`,
          )
          .join('');
  const area =
    fill && path !== ''
      ? `<path d="${path}V${round(floor)}H${round(at(ordered[0]!))}Z" fill="${color}" fill-opacity="0.25"/>`
      : '';
  const drawnLine =
    path === ''
      ? ''
      : `<path d="${path}" fill="none" stroke="${color}" stroke-width="1.8"${dashed(dash)}/>`;
  return `${area}${drawnLine}${points
    .map((p) => {
      const x = at(p);
      const spreadLine =
        p.low === null || p.high === null
          ? ''
          : `<path d="M${round(x)} ${round(py(p.low))}V${round(py(p.high))}m-3 ` +
            `0h6M${round(x - 3)} ${round(py(p.low))}h6" stroke="${color}" fill="none"/>`;
      const body =
        p.box === undefined ? dot(series, x, py(p.y), paper) : boxSvg(p.box, x, py, color);
      return `${spreadLine}${body}${p.flaw === null ? '' : cross(x, py(p.y), bad)}`;
    })
    .join('')}`;
}

function boxSvg(
  box: NonNullable<FigurePoint['box']>,
  x: number,
  py: (y: number) => number,
  color: string,
): string {
  const half = 7;
  return (
    `<path d="M${round(x)} ${round(py(box.whiskerLow))}V${round(py(box.q1))}M${round(x)} ` +
    `${round(py(box.q3))}V${round(py(box.whiskerHigh))}m-3 0h6M${round(x - 3)} ` +
    `${round(py(box.whiskerLow))}h6" stroke="${color}" stroke-width="1.4" fill="none"/>` +
    `<rect x="${round(x - half)}" y="${round(py(box.q3))}" width="${half * 2}" ` +
    `height="${round(Math.max(0.6, py(box.q1) - py(box.q3)))}" fill="${color}" ` +
    `fill-opacity="0.2" stroke="${color}" stroke-width="1.2"/>` +
    `<path d="M${round(x - half)} ${round(py(box.median))}h${half * 2}" stroke="${color}" ` +
    `stroke-width="2.4"/><circle cx="${round(x)}" cy="${round(py(box.mean))}" r="1.8" ` +
    `fill="${color}"/>`
  );
}
