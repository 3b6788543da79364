import {
  memo,
  type ReactNode,
  type Ref,
  use,
  useCallback,
  useId,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';

import { valueAxis } from '../../core/base/format.ts';
import type { ChartSeries } from '../engine/series.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { ChartMarkContext } from '../kit/mark.ts';
import { ChartDialog, type ChartDialogProps, copyRows } from './ChartDialog.tsx';
import { ChartLegend } from './ChartLegend.tsx';
import { type ChartAction, ChartMenu, ResetZoom } from './ChartMenu.tsx';
import styles from './charts.module.css';
import { ChartStage } from './ChartStage.tsx';
import { titleUnit } from './chartText.ts';
import type { ChartController } from './controller.ts';
import type { ChartEvent, ChartLimit, ChartPeriod, ChartPhase } from './draw.ts';
import { type ChartGroup, createChartGroup } from './group.ts';
import { provenanceText, sourcesOf } from './provenance.ts';
import type { SharedScale } from './sharedScale.ts';
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
  periods?: readonly ChartPeriod[] | undefined;
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
type DialogKind = ChartDialogProps['kind'] | 'enlarged';

/** Lines over the time of a run: axes by Recharts, lines on one canvas, values beside them. */
export const TimeChart = memo(function TimeChart(props: TimeChartProps) {
  const { title, unit, series, height = 176 } = props;
  const [ownGroup] = useState(() => createChartGroup());
  const group = props.group ?? ownGroup;
  const state = useSyncExternalStore(group.subscribe, group.get);
  const input = useChartInput(props);
  const { controller, surface, size } = useChart(group, input, props.feed);
  const [dialog, setDialog] = useState<DialogKind | null>(null);
  const [said, setSaid] = useState('');
  const titleId = useId();
  const mark = use(ChartMarkContext);
  const enlarge = useCallback(() => setDialog('enlarged'), []);
  return (
    <section
      className={styles.chart}
      data-fill={height === 'fill' || undefined}
      aria-labelledby={titleId}
      ref={surface.refs.root}
    >
      <header className={styles.head}>
        {props.lead}
        <Title {...props} id={titleId} status={surface.refs.status} controller={controller} />
        {state.zoom !== null && <ResetZoom onReset={() => group.set({ zoom: null })} />}
        <ChartMenu
          title={title}
          actions={[
            ...(props.more ?? none),
            ...menuActions(setDialog, () => copyRows(controller, title, mark, setSaid)),
          ]}
        />
      </header>
      <ChartStage
        title={title}
        height={height}
        loading={props.loading === true}
        error={props.error ?? null}
        onRetry={props.onRetry}
        emptyText={props.emptyText}
        input={input}
        clock={state.clock}
        group={group}
        parts={{ controller, surface, size }}
        onSaid={setSaid}
        onEnlarge={enlarge}
      />
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
      <SourceLine series={series} updated={surface.refs.updated} />
      <div className={styles.hidden} aria-live="polite">
        {said}
      </div>
      {dialog === 'enlarged' && (
        <Dialog
          onClose={() => setDialog(null)}
          title={`${title}, ${unit}`}
          size="95%"
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
        </Dialog>
      )}
      {dialog !== null && dialog !== 'enlarged' && (
        <ChartDialog
          kind={dialog}
          title={title}
          unit={unit}
          mark={mark}
          input={input}
          group={group}
          parts={{ controller, surface, size }}
          onSaid={setSaid}
          onClose={() => setDialog(null)}
        />
      )}
    </section>
  );
});

/** What the controller draws, the same object while none of it changed. */
function useChartInput(props: TimeChartProps): ChartInput {
  const {
    series,
    phases = none,
    periods,
    events = none,
    limits = none,
    fromZero = true,
    emphasis = 'auto',
    defaultHighlight = null,
    nowMs = null,
    originMs = 0,
    scale,
  } = props;
  return useMemo<ChartInput>(
    () => ({
      series,
      phases,
      periods,
      events,
      limits,
      fromZero,
      emphasis,
      defaultHighlight,
      nowMs,
      originMs,
      scale,
    }),
    [
      series,
      phases,
      periods,
      events,
      limits,
      fromZero,
      emphasis,
      defaultHighlight,
      nowMs,
      originMs,
      scale,
    ],
  );
}

const menuActions = (open: (kind: DialogKind) => void, copy: () => void): ChartAction[] => [
  { id: 'enlarge', label: 'Enlarge', run: () => open('enlarged') },
  { id: 'table', label: 'Table', run: () => open('table') },
  { id: 'copy', label: 'Copy', run: copy },
  { id: 'png', label: 'Save as PNG…', run: () => open('png') },
  { id: 'picture', label: 'Save picture…', run: () => open('picture') },
  { id: 'summary', label: 'Text summary', run: () => open('summary') },
];

/** What the chart is of, how fresh it is (`status`, written to directly) and what it lacks. */
function Title({
  title,
  unit,
  shortTitle,
  missing = none,
  id,
  status,
  controller,
}: Pick<TimeChartProps, 'title' | 'unit' | 'shortTitle' | 'missing'> & {
  id: string;
  status: Ref<HTMLElement>;
  controller: ChartController;
}) {
  const shown = useSyncExternalStore(
    controller.onAxes,
    () => valueAxis(controller.axes(), unit).unit,
  );
  return (
    <>
      <h3
        id={id}
        className={styles.title}
        title={title}
        aria-label={shortTitle === undefined ? undefined : `${title} ${unit}`}
      >
        {shortTitle ?? title} <span className={styles.unit}>{titleUnit(shown)}</span>
      </h3>
      <span className={styles.status} ref={status} />
      {missing.length > 0 && (
        <span className={styles.partial} title={missing.join(', ')}>
          Partial: no{' '}
          {missing.length > 2
            ? `${missing.slice(0, 2).join(', ')} and ${missing.length - 2} more`
            : missing.join(', ')}
        </span>
      )}
    </>
  );
}

/** Who measured it, and the time of the newest sample (`updated`, written to directly). */
function SourceLine({
  series,
  updated,
}: {
  series: readonly ChartSeries[];
  updated: Ref<HTMLElement>;
}) {
  const provenance = useMemo(() => provenanceText(series), [series]);
  if (provenance === '') return null;
  return (
    <p className={styles.source} title={sourcesOf(series).join('\n')}>
      <span className={styles.by}>
        {provenance}
        <span className={styles.updated} ref={updated} />
      </span>
    </p>
  );
}
