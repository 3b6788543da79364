import { useEffect, useMemo } from 'react';

import { ChartFrame } from './ChartFrame.tsx';
import styles from './charts.module.css';
import { ChartFailure, ChartSkeleton } from './ChartStates.tsx';
import type { ChartGroup } from './group.ts';
import { createPlotInput } from './plotInput.ts';
import type { ChartParts } from './useChart.ts';
import type { ChartInput } from './view.ts';

export interface ChartStageProps {
  title: string;
  /** With its axes, px; `fill`: as high as the container. */
  height: number | 'fill';
  loading: boolean;
  error: { message: string; hint?: string | undefined } | null;
  onRetry: (() => void) | undefined;
  emptyText: string | undefined;
  input: ChartInput;
  /** Clock time on the axis, not time in the run. */
  clock: boolean;
  group: ChartGroup;
  parts: ChartParts;
  /** A value was read out, for screen readers; keep its identity. */
  onSaid: (text: string) => void;
  /** Keep its identity. */
  onEnlarge: () => void;
}

/** The plot, which takes pointer and keyboard, and over it what stands there instead of lines. */
export function ChartStage(props: ChartStageProps) {
  const { title, height, loading, error, input, group, parts, onSaid, onEnlarge } = props;
  const { controller, surface, size } = parts;
  const { plot, canvas, crosshair, selection, readout } = surface.refs;
  const plotInput = useMemo(
    () =>
      createPlotInput({
        controller,
        group,
        announce: onSaid,
        enlarge: onEnlarge,
        select: surface.select,
      }),
    [controller, group, onSaid, onEnlarge, surface],
  );
  useEffect(() => {
    const node = surface.nodes().plot;
    if (node === null) return undefined;
    // React listens passively to the wheel: the page would zoom as well.
    node.addEventListener('wheel', plotInput.onWheel, { passive: false });
    return () => {
      node.removeEventListener('wheel', plotInput.onWheel);
    };
  }, [surface, plotInput]);
  const { onWheel: _native, ...handlers } = plotInput;
  const empty = input.series.length === 0;
  return (
    <div className={styles.stage} style={height === 'fill' ? undefined : { height }}>
      <div
        className={styles.plot}
        ref={plot}
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
            clock={props.clock}
            originMs={input.originMs}
          />
        )}
        <canvas ref={canvas} className={styles.canvas} aria-hidden="true" />
        <div ref={crosshair} className={styles.crosshair} hidden />
        <div ref={selection} className={styles.selection} hidden />
        <div ref={readout} className={styles.readout} aria-hidden="true" hidden />
      </div>
      {!loading && error === null && !empty && (
        <div className={styles.waiting}>
          {input.nowMs === null ? 'No sample' : 'Waiting for the first sample'}
        </div>
      )}
      {loading && <ChartSkeleton label={title} />}
      {error !== null && (
        <ChartFailure message={error.message} hint={error.hint} onRetry={props.onRetry} />
      )}
      {!loading && error === null && empty && (
        <div className={styles.overlay}>
          {props.emptyText ?? 'No series. Samples appear here once a source delivers them.'}
        </div>
      )}
    </div>
  );
}
