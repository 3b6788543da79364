import { Modal } from '@mantine/core';
import {
  memo,
  type ReactNode,
  use,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

import type { ChartSeries } from '../engine/series.ts';
import { ChartMarkContext } from '../kit/mark.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { ChartLegend } from './ChartLegend.tsx';
import { type ChartAction, ChartMenu } from './ChartMenu.tsx';
import styles from './charts.module.css';
import { ChartFailure, ChartSkeleton } from './ChartStates.tsx';
import { ChartTable } from './ChartTable.tsx';
import { summaryText, tableTsv, titleUnit } from './chartText.ts';
import type { ChartEvent, ChartLimit, ChartPhase } from './draw.ts';
import { fileNameOf } from './fileName.ts';
import { type ChartGroup, createChartGroup } from './group.ts';
import { useHold } from './hold.ts';
import { LeavingDialog } from './LeavingDialog.tsx';
import { pictureChart } from './pictureChart.ts';
import { PictureDialog } from './PictureDialog.tsx';
import { createPlotInput } from './plotInput.ts';
import { chartPicture, leavingChart, pictureTexts, savePng } from './png.ts';
import { provenanceText, sourcesOf } from './provenance.ts';
import type { SharedScale } from './sharedScale.ts';
import { readTheme } from './theme.ts';
import { type ChartFeed, useChart } from './useChart.ts';
import { type ChartInput, highlightOf } from './view.ts';

export interface TimeChartProps {
  /** What, of what: `Database throughput`. */
  title: string;
  unit: string;
  /** Shown instead of the title where its place says the rest; the chart's name stays whole. */
  shortTitle?: string | undefined;
  /** Keep the same array while nothing changed: a new one redraws everything. */
  series: readonly ChartSeries[];
  /**
   * Charts with the same group share time, zoom, cursor and highlight. Default: a group of its own.
   */
  group?: ChartGroup | undefined;
  /** Live data: tells that samples arrived. Absent for stored data. */
  feed?: ChartFeed | undefined;
  /** Clock at the source (epoch ms); absent for stored data. */
  nowMs?: (() => number) | undefined;
  /** Epoch of 0:00, for clock time. */
  originMs?: number | undefined;
  phases?: readonly ChartPhase[] | undefined;
  events?: readonly ChartEvent[] | undefined;
  limits?: readonly ChartLimit[] | undefined;
  fromZero?: boolean | undefined;
  emphasis?: 'auto' | 'all' | undefined;
  defaultHighlight?: string | null | undefined;
  /** Height of the plot with its axes, px. `fill`: as high as the container. */
  height?: number | 'fill' | undefined;
  loading?: boolean | undefined;
  error?: { message: string; hint?: string | undefined } | null | undefined;
  onRetry?: (() => void) | undefined;
  /** What is not on the chart though it should be: makes it partial. */
  missing?: readonly string[] | undefined;
  emptyText?: string | undefined;
  /** The value axis of several charts together; keep its identity. */
  scale?: SharedScale | undefined;
  /** More entries of the menu, before its own. */
  more?: readonly ChartAction[] | undefined;
  /** Controls before the title: a handle, a pin. */
  lead?: ReactNode;
  /**
   * Opens what the chosen line belongs to (`highlightKey`); offered where more lines than colours
   * are on the chart.
   */
  onOpen?: ((highlightKey: string) => void) | undefined;
}

const none: readonly never[] = [];
const closeButton = { 'aria-label': 'Close' };

/** Lines over the time of a run: axes by Recharts, lines on one canvas, values beside them. */
export const TimeChart = memo(function TimeChart(props: TimeChartProps) {
  const {
    title,
    unit,
    series,
    phases = none,
    events = none,
    limits = none,
    fromZero = true,
    emphasis = 'auto',
    defaultHighlight = null,
    height = 176,
    missing = none,
    scale,
  } = props;
  const [ownGroup] = useState(() => createChartGroup());
  const group = props.group ?? ownGroup;
  const state = useSyncExternalStore(group.subscribe, group.get);
  const nowMs = props.nowMs ?? null;
  const originMs = props.originMs ?? 0;
  const input = useMemo<ChartInput>(
    () => ({
      series,
      phases,
      events,
      limits,
      fromZero,
      emphasis,
      defaultHighlight,
      nowMs,
      originMs,
      scale,
    }),
    [series, phases, events, limits, fromZero, emphasis, defaultHighlight, nowMs, originMs, scale],
  );
  const { controller, surface, size } = useChart(group, input, props.feed);
  const [dialog, setDialog] = useState<'enlarged' | 'table' | 'summary' | 'picture' | 'png' | null>(
    null,
  );
  useHold(dialog !== null);
  const [said, setSaid] = useState('');
  const selection = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const mark = use(ChartMarkContext);
  const marked = mark === null ? title : `${title}, ${mark}`;
  const plotInput = useMemo(
    () =>
      createPlotInput({
        controller,
        group,
        announce: setSaid,
        enlarge: () => {
          setDialog('enlarged');
        },
        select: (from, to) => {
          const box = selection.current;
          if (box === null) return;
          box.hidden = from === null;
          if (from !== null) {
            box.style.left = `${Math.min(from, to)}px`;
            box.style.width = `${Math.abs(to - from)}px`;
          }
        },
      }),
    [controller, group],
  );

  useEffect(() => {
    const { plot } = surface.nodes();
    if (plot === null) return undefined;
    // React listens passively to the wheel: the page would zoom as well.
    plot.addEventListener('wheel', plotInput.onWheel, { passive: false });
    return () => {
      plot.removeEventListener('wheel', plotInput.onWheel);
    };
  }, [surface, plotInput]);

  const copy = (): void => {
    const text = tableTsv(controller.input(), controller.axes().x, mark);
    navigator.clipboard.writeText(text).then(
      () => {
        setSaid(`${text.split('\n').length - 1} rows of ${title} copied.`);
      },
      (thrown: unknown) => {
        setSaid(`Copy failed: ${String(thrown)}. The table shows the same rows.`);
      },
    );
  };
  const save = (leaving: (text: string) => string): void => {
    const { root } = surface.nodes();
    if (root === null) return;
    const name = leaving(title);
    const picture = chartPicture(
      mark === null ? name : `${name}, ${mark}`,
      unit,
      leavingChart(controller.input(), leaving),
      group.get(),
      controller.axes(),
      readTheme(root),
      size,
    );
    savePng(picture, `${fileNameOf(name, mark)}.png`).catch((thrown: unknown) => {
      setSaid(`The picture was not saved: ${String(thrown)}`);
    });
  };
  const actions: ChartAction[] = [
    ...(props.more ?? none),
    {
      id: 'enlarge',
      label: 'Enlarge',
      run: () => {
        setDialog('enlarged');
      },
    },
    {
      id: 'table',
      label: 'Table',
      run: () => {
        setDialog('table');
      },
    },
    { id: 'copy', label: 'Copy', run: copy },
    { id: 'png', label: 'Save as PNG…', run: () => setDialog('png') },
    {
      id: 'picture',
      label: 'Save picture…',
      run: () => {
        setDialog('picture');
      },
    },
    {
      id: 'summary',
      label: 'Text summary',
      run: () => {
        setDialog('summary');
      },
    },
  ];
  const texts = useMemo(() => pictureTexts(title, input), [title, input]);
  const { onWheel: _native, ...handlers } = plotInput;
  const provenance = useMemo(() => provenanceText(series), [series]);
  const blocked = props.loading === true || props.error != null || series.length === 0;
  return (
    <section
      className={styles.chart}
      data-fill={height === 'fill' || undefined}
      aria-labelledby={titleId}
      ref={surface.refs.root}
    >
      <header className={styles.head}>
        {props.lead}
        <h3
          id={titleId}
          className={styles.title}
          title={title}
          aria-label={props.shortTitle === undefined ? undefined : `${title} ${unit}`}
        >
          {props.shortTitle ?? title} <span className={styles.unit}>{titleUnit(unit)}</span>
        </h3>
        <span className={styles.status} ref={surface.refs.status} />
        {missing.length > 0 && (
          <span className={styles.partial} title={missing.join(', ')}>
            Partial: no{' '}
            {missing.length > 2
              ? `${missing.slice(0, 2).join(', ')} and ${missing.length - 2} more`
              : missing.join(', ')}
          </span>
        )}
        {state.zoom !== null && (
          <button
            type="button"
            className={styles.menuButton}
            onClick={() => {
              group.set({ zoom: null });
            }}
          >
            Reset zoom
          </button>
        )}
        <ChartMenu title={title} actions={actions} />
      </header>
      <div className={styles.stage} style={height === 'fill' ? undefined : { height }}>
        <div
          className={styles.plot}
          ref={surface.refs.plot}
          data-autofocus={height === 'fill' || undefined}
          role="slider"
          tabIndex={0}
          aria-label={`Time cursor of ${title}`}
          aria-valuemin={0}
          aria-valuenow={0}
          aria-valuetext="no cursor"
          {...handlers}
        >
          {size.width > 0 && (
            <ChartFrame
              controller={controller}
              width={size.width}
              height={size.height}
              clock={state.clock}
              originMs={originMs}
            />
          )}
          <canvas ref={surface.refs.canvas} className={styles.canvas} aria-hidden="true" />
          <div ref={surface.refs.crosshair} className={styles.crosshair} hidden />
          <div ref={selection} className={styles.selection} hidden />
          <div ref={surface.refs.readout} className={styles.readout} aria-hidden="true" hidden />
        </div>
        {!blocked && (
          <div className={styles.waiting}>
            {nowMs === null ? 'No sample' : 'Waiting for the first sample'}
          </div>
        )}
        {props.loading === true && <ChartSkeleton label={title} />}
        {props.error != null && (
          <ChartFailure
            message={props.error.message}
            hint={props.error.hint}
            onRetry={props.onRetry}
          />
        )}
        {props.loading !== true && props.error == null && series.length === 0 && (
          <div className={styles.overlay}>
            {props.emptyText ?? 'No series. Samples appear here once a source delivers them.'}
          </div>
        )}
      </div>
      {series.length > 0 && (
        <ChartLegend
          series={series}
          group={group}
          title={title}
          highlight={highlightOf(input, state)}
          refNode={surface.refs.legend}
          onOpen={props.onOpen}
        />
      )}
      {(provenance !== '' || mark !== null) && (
        <p className={styles.source} title={sourcesOf(series).join('\n')}>
          {mark !== null && <span className={styles.mark}>{mark}</span>}
          <span className={styles.by}>
            {provenance}
            {provenance !== '' && <span className={styles.updated} ref={surface.refs.updated} />}
          </span>
        </p>
      )}
      <div className={styles.hidden} aria-live="polite">
        {said}
      </div>
      {dialog === 'enlarged' && (
        <Modal
          opened
          closeButtonProps={closeButton}
          onClose={() => {
            setDialog(null);
          }}
          title={`${marked}, ${unit}`}
          size="95%"
          transitionProps={{ duration: 0 }}
          classNames={{ body: styles.enlarged }}
        >
          <TimeChart
            {...props}
            group={group}
            lead={undefined}
            more={none}
            shortTitle={undefined}
            height="fill"
          />
        </Modal>
      )}
      {dialog === 'table' && (
        <Modal
          opened
          closeButtonProps={closeButton}
          onClose={() => {
            setDialog(null);
          }}
          title={`${marked}, ${unit}`}
          size="95%"
          transitionProps={{ duration: 0 }}
        >
          <ChartTable title={title} input={input} x={controller.axes().x} />
        </Modal>
      )}
      {dialog === 'png' && (
        <LeavingDialog
          title={`PNG of ${title}`}
          verb="Save PNG"
          texts={texts}
          onClose={() => setDialog(null)}
          onWrite={save}
        />
      )}
      {dialog === 'picture' && (
        <PictureDialog
          chart={pictureChart(title, unit, input, controller.axes().x)}
          mark={mark}
          onClose={() => {
            setDialog(null);
          }}
          onSaid={setSaid}
        />
      )}
      {dialog === 'summary' && (
        <Modal
          opened
          closeButtonProps={closeButton}
          onClose={() => {
            setDialog(null);
          }}
          title={`${marked}: text summary`}
          size="lg"
          transitionProps={{ duration: 0 }}
        >
          {summaryText(marked, unit, input, controller.axes().x).map((line) => (
            <p key={line} className={styles.note}>
              {line}
            </p>
          ))}
        </Modal>
      )}
    </section>
  );
});
