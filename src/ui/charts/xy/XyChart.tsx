import { Modal } from '@mantine/core';
import { use, useEffect, useId, useMemo, useRef, useState } from 'react';

import { formatExact } from '../../../core/base/format.ts';
import { shapePath, type XyInput, type XySeries } from '../../../core/chart/xyModel.ts';
import { CopyTable } from '../../kit/CopyTable.tsx';
import { ChartMarkContext } from '../../kit/mark.ts';
import copyStyles from '../../kit/table.module.css';
import { type ChartAction, ChartMenu } from '../ChartMenu.tsx';
import frame from '../charts.module.css';
import { titleUnit } from '../chartText.ts';
import { fileNameOf } from '../fileName.ts';
import { LeavingDialog } from '../LeavingDialog.tsx';
import { savePng } from '../png.ts';
import { readTheme } from '../theme.ts';
import styles from './xy.module.css';
import { inputTexts, leavingInput } from './xyLeaving.ts';
import { xyPicture } from './xyPicture.ts';
import { XyPlot } from './XyPlot.tsx';
import { xyCsv, xySummary, xyTable, xyTsv } from './xyText.ts';

export interface XyChartProps {
  title: string;
  unit: string;
  xLabel: string;
  xUnit: string;
  /** Decimals of exact values: hover, table, copies. */
  decimals: number;
  input: XyInput;
  /** Chosen point, shared with the table below; null = none. */
  chosen?: string | null;
  onChoose?: (key: string | null) => void;
  /** A point was clicked or entered. */
  onOpen: (address: string) => void;
  /** Saves a file; the desktop's way. */
  onSave: (fileName: string, text: string) => void;
  /** px, with axes; `fill`: as high as the container. */
  height?: number | 'fill';
  emptyText: string;
}
const closeButton = { 'aria-label': 'Close' };

/**
 * A result over the swept parameter: measured points joined, published ones beside them, knees as
 * bands, flaws with icon and word.
 */
export function XyChart(props: XyChartProps) {
  const {
    title,
    unit,
    xLabel,
    xUnit,
    decimals,
    input,
    onOpen,
    onSave,
    emptyText,
    height = 380,
  } = props;
  const mark = use(ChartMarkContext);
  const titleId = useId();
  const stage = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [ownChosen, setOwnChosen] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'enlarged' | 'table' | 'summary' | 'csv' | 'png' | null>(
    null,
  );
  const [said, setSaid] = useState('');
  const [zoom, setZoom] = useState<readonly [number, number] | null>(null);
  useEffect(() => {
    const node = stage.current;
    if (node === null) return undefined;
    const measure = (): void =>
      setSize((now) =>
        now.width === node.clientWidth && now.height === node.clientHeight
          ? now
          : { width: node.clientWidth, height: node.clientHeight },
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  const text = useMemo(
    () => ({ title, unit, xLabel, xUnit, decimals, mark }),
    [title, unit, xLabel, xUnit, decimals, mark],
  );
  const zoomed = useMemo(() => ({ ...input, zoom }), [input, zoom]);
  const table = useMemo(() => xyTable(text, input), [text, input]);
  const copy = (): void => {
    navigator.clipboard.writeText(xyTsv(table)).then(
      () => setSaid(`${table.rows.length} rows of ${title} copied.`),
      (thrown: unknown) =>
        setSaid(`Copy failed: ${String(thrown)}. The table shows the same rows.`),
    );
  };
  const picture = (leaving: (text: string) => string): void => {
    if (root.current === null) return;
    const out = { ...text, title: leaving(title), xLabel: leaving(xLabel) };
    const drawing = xyPicture(out, leavingInput(zoomed, leaving), readTheme(root.current), size);
    savePng(drawing, `${fileNameOf(out.title, mark)}.png`).catch((thrown: unknown) =>
      setSaid(`The picture was not saved: ${String(thrown)}`),
    );
  };
  const writeCsv = (leaving: (text: string) => string): void => {
    const out = { ...text, title: leaving(title), xLabel: leaving(xLabel) };
    const rows = xyTable(out, leavingInput(input, leaving));
    onSave(`${fileNameOf(out.title, mark)}.csv`, xyCsv(rows));
  };
  const texts = useMemo(() => [title, xLabel, ...inputTexts(input)], [title, xLabel, input]);
  const actions: ChartAction[] = [
    { id: 'enlarge', label: 'Enlarge', run: () => setDialog('enlarged') },
    { id: 'table', label: 'Table', run: () => setDialog('table') },
    { id: 'copy', label: 'Copy', run: copy },
    { id: 'csv', label: 'Export CSV…', run: () => setDialog('csv') },
    { id: 'png', label: 'Save as PNG…', run: () => setDialog('png') },
    { id: 'summary', label: 'Text summary', run: () => setDialog('summary') },
  ];
  const empty = input.series.every((s) => s.points.length === 0);
  // jsdom and the first frame know no size: a size of its own keeps the points in the page.
  const drawn = {
    width: size.width || 640,
    height: size.height || (height === 'fill' ? 480 : height),
  };
  return (
    <section
      className={frame.chart}
      data-fill={height === 'fill' || undefined}
      aria-labelledby={titleId}
      ref={root}
    >
      <header className={frame.head}>
        <h3 id={titleId} className={frame.title}>
          {title} <span className={frame.unit}>{titleUnit(unit)}</span>
        </h3>
        {mark !== null && <span className={frame.mark}>{mark}</span>}
        {zoom !== null && (
          <button type="button" className={frame.menuButton} onClick={() => setZoom(null)}>
            Reset zoom
          </button>
        )}
        <ChartMenu title={title} actions={actions} />
      </header>
      <div
        className={`${frame.stage} ${styles.stage}`}
        style={height === 'fill' ? undefined : { height }}
        ref={stage}
      >
        <XyPlot
          input={zoomed}
          width={drawn.width}
          height={drawn.height}
          title={title}
          unit={unit}
          xLabel={xLabel}
          xUnit={xUnit}
          chosen={props.chosen === undefined ? ownChosen : props.chosen}
          onChoose={props.onChoose ?? setOwnChosen}
          onOpen={onOpen}
          onZoom={setZoom}
        />
        {empty && (
          <div className={frame.overlay} style={{ background: 'none' }}>
            {emptyText}
          </div>
        )}
      </div>
      <div className={styles.legend}>
        {input.series.map((s) => (
          <LegendEntry
            key={s.key}
            series={s}
            decimals={decimals}
            unit={unit}
            line={input.categories === null}
          />
        ))}
      </div>
      <div className={frame.hidden} aria-live="polite">
        {said}
      </div>
      {dialog === 'enlarged' && (
        <Modal
          opened
          closeButtonProps={closeButton}
          onClose={() => setDialog(null)}
          title={`${title}${mark === null ? '' : `, ${mark}`}`}
          size="95%"
          transitionProps={{ duration: 0 }}
          classNames={{ body: frame.enlarged }}
        >
          <XyChart {...props} height="fill" />
        </Modal>
      )}
      {dialog === 'table' && (
        <Modal
          opened
          closeButtonProps={closeButton}
          onClose={() => setDialog(null)}
          title={`${title}${mark === null ? '' : `, ${mark}`}`}
          size="xl"
          transitionProps={{ duration: 0 }}
        >
          <div className={copyStyles.aside}>
            <div className={copyStyles.bar}>
              <CopyTable
                label={title}
                read={() => ({
                  title,
                  mark,
                  columns: table.head.map((label) => ({ label })),
                  rows: table.rows,
                })}
              />
            </div>
            <table className={styles.table} aria-label={title}>
              <thead>
                <tr>
                  {table.head.map((h) => (
                    <th key={h} scope="col">
                      {h}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map((row) => (
                  <tr key={row[0]}>
                    {row.map((cell, i) =>
                      i === 0 ? (
                        <th key="x" scope="row">
                          {cell}
                        </th>
                      ) : (
                        <td key={table.head[i]}>{cell}</td>
                      ),
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Modal>
      )}
      {(dialog === 'csv' || dialog === 'png') && (
        <LeavingDialog
          title={`${dialog.toUpperCase()} of ${title}`}
          verb={`Save ${dialog.toUpperCase()}`}
          texts={texts}
          onClose={() => setDialog(null)}
          onWrite={dialog === 'csv' ? writeCsv : picture}
        />
      )}
      {dialog === 'summary' && (
        <Modal
          opened
          closeButtonProps={closeButton}
          onClose={() => setDialog(null)}
          title={`${title}: text summary`}
          size="lg"
          transitionProps={{ duration: 0 }}
        >
          {xySummary(text, input).map((line) => (
            <p key={line} className={frame.note}>
              {line}
            </p>
          ))}
        </Modal>
      )}
    </section>
  );
}

function LegendEntry({
  series,
  decimals,
  unit,
  line,
}: {
  series: XySeries;
  decimals: number;
  unit: string;
  /** Joined along a number axis. */ line: boolean;
}) {
  const last = [...series.points].sort((a, b) => a.x - b.x).at(-1);
  return (
    <span className={styles.entry}>
      <svg width={26} height={14} aria-hidden>
        {line && !series.published && (
          <line
            x1={0}
            x2={26}
            y1={7}
            y2={7}
            stroke={series.color}
            strokeWidth={2}
            strokeDasharray={series.dash.join(' ') || undefined}
          />
        )}
        <path
          d={shapePath(series.shape, 5)}
          transform="translate(13 7)"
          fill={series.published ? 'var(--tb-chart-background)' : series.color}
          stroke={series.color}
          strokeWidth={series.published ? 2 : 0}
        />
      </svg>
      <span>{series.label}</span>
      {line && last !== undefined && !series.published && (
        <b title="Last point">{`${formatExact(last.y, decimals)}${unit === '' ? '' : ` ${unit}`}`}</b>
      )}
    </span>
  );
}
