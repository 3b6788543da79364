import { type RefObject, use, useEffect, useId, useMemo, useRef, useState } from 'react';

import type { XyInput } from '../../../core/chart/xyModel.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { ChartMarkContext } from '../../kit/mark.ts';
import { type ChartAction, ChartMenu, ResetZoom } from '../ChartMenu.tsx';
import frame from '../charts.module.css';
import { titleUnit } from '../chartText.ts';
import styles from './xy.module.css';
import { XyDialog, type XyDialogProps } from './XyDialog.tsx';
import { XyLegend } from './XyLegend.tsx';
import { XyPlot } from './XyPlot.tsx';
import { xyTable, type XyText, xyTsv } from './xyText.ts';

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

type DialogKind = XyDialogProps['kind'] | 'enlarged';

/**
 * A result over the swept parameter: measured points joined, published ones beside them, knees as
 * bands, flaws with icon and word.
 */
export function XyChart(props: XyChartProps) {
  const { title, unit, xLabel, xUnit, decimals, input, height = 380 } = props;
  const mark = use(ChartMarkContext);
  const titleId = useId();
  const stage = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLElement>(null);
  const size = useSize(stage);
  const [ownChosen, setOwnChosen] = useState<string | null>(null);
  const [dialog, setDialog] = useState<DialogKind | null>(null);
  const [said, setSaid] = useState('');
  const [zoom, setZoom] = useState<readonly [number, number] | null>(null);
  const text: XyText = { title, unit, xLabel, xUnit, decimals, mark };
  const zoomed = useMemo(() => ({ ...input, zoom }), [input, zoom]);
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
        {zoom !== null && <ResetZoom onReset={() => setZoom(null)} />}
        <ChartMenu
          title={title}
          actions={menuActions(setDialog, () => copyRows(text, input, setSaid))}
        />
      </header>
      <div
        className={`${frame.stage} ${styles.stage}`}
        style={height === 'fill' ? undefined : { height }}
        ref={stage}
      >
        <XyPlot
          {...text}
          {...drawn}
          input={zoomed}
          chosen={props.chosen === undefined ? ownChosen : props.chosen}
          onChoose={props.onChoose ?? setOwnChosen}
          onOpen={props.onOpen}
          onZoom={setZoom}
        />
        {input.series.every((s) => s.points.length === 0) && (
          <div className={frame.overlay} style={{ background: 'none' }}>
            {props.emptyText}
          </div>
        )}
      </div>
      <XyLegend input={input} decimals={decimals} unit={unit} />
      <div className={frame.hidden} aria-live="polite">
        {said}
      </div>
      {dialog === 'enlarged' && (
        <Dialog
          onClose={() => setDialog(null)}
          title={title}
          size="95%"
          classNames={{ body: frame.enlarged }}
        >
          <XyChart {...props} height="fill" />
        </Dialog>
      )}
      {dialog !== null && dialog !== 'enlarged' && (
        <XyDialog
          kind={dialog}
          text={text}
          input={dialog === 'png' ? zoomed : input}
          root={root}
          size={size}
          onSave={props.onSave}
          onSaid={setSaid}
          onClose={() => setDialog(null)}
        />
      )}
    </section>
  );
}

/** Inner size of a node, px; 0 until it is laid out. */
function useSize(ref: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const node = ref.current;
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
  }, [ref]);
  return size;
}

const menuActions = (open: (kind: DialogKind) => void, copy: () => void): ChartAction[] => [
  { id: 'enlarge', label: 'Enlarge', run: () => open('enlarged') },
  { id: 'table', label: 'Table', run: () => open('table') },
  { id: 'copy', label: 'Copy', run: copy },
  { id: 'csv', label: 'Export CSV…', run: () => open('csv') },
  { id: 'png', label: 'Save as PNG…', run: () => open('png') },
  { id: 'summary', label: 'Text summary', run: () => open('summary') },
];

function copyRows(text: XyText, input: XyInput, say: (text: string) => void): void {
  const table = xyTable(text, input);
  navigator.clipboard.writeText(xyTsv(table)).then(
    () => say(`${table.rows.length} rows of ${text.title} copied.`),
    (thrown: unknown) => say(`Copy failed: ${String(thrown)}. The table shows the same rows.`),
  );
}
