import { useEffect, useLayoutEffect, useState } from 'react';

import { type ChartController, createChartController } from './controller.ts';
import { createDomSurface, type DomSurface } from './domSurface.ts';
import type { ChartGroup } from './group.ts';
import { onHeartbeat } from './heartbeat.ts';
import { windowScheduler } from './scheduler.ts';
import { readTheme } from './theme.ts';
import type { ChartInput } from './view.ts';

export interface ChartParts {
  controller: ChartController;
  surface: DomSurface;
  size: { width: number; height: number };
}

/** Tells that samples arrived: a live store's `subscribe`, bound to a run. */
export type ChartFeed = (listener: () => void) => () => void;

/**
 * Binds a controller to the DOM: size, visibility, theme, feed. React renders again only when the
 * size changes.
 */
export function useChart(
  group: ChartGroup,
  input: ChartInput,
  feed: ChartFeed | undefined,
): ChartParts {
  const [parts] = useState(() => {
    const surface = createDomSurface(group);
    const controller = createChartController(surface, group, windowScheduler(), () =>
      performance.now(),
    );
    surface.bind(controller);
    return { surface, controller };
  });
  const { surface, controller } = parts;
  const [size, setSize] = useState({ width: 0, height: 0 });

  useEffect(() => controller.connect(), [controller]);
  useLayoutEffect(() => {
    controller.update(input);
  }, [controller, input]);
  useLayoutEffect(() => {
    const { root } = surface.nodes();
    if (root === null) return undefined;
    const read = (): void => {
      controller.setTheme(readTheme(root));
    };
    read();
    // The page's root gets its scheme after the effects of what lies inside it have run.
    const schemes = new MutationObserver(read);
    schemes.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-mantine-color-scheme', 'class', 'style'],
    });
    return () => {
      schemes.disconnect();
    };
  }, [controller, surface]);
  useLayoutEffect(() => {
    const { plot, canvas } = surface.nodes();
    if (plot === null || canvas === null) return undefined;
    const fit = (): void => {
      const width = Math.floor(plot.clientWidth);
      const height = Math.floor(plot.clientHeight);
      // A chart on a page that is zoomed by its style needs as many pixels more.
      const dpr =
        (globalThis.devicePixelRatio || 1) *
        ((plot as { currentCSSZoom?: number }).currentCSSZoom ?? 1);
      const pixels = [Math.round(width * dpr), Math.round(height * dpr)] as const;
      if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) {
        canvas.width = pixels[0];
        canvas.height = pixels[1];
      }
      controller.resize(width, height, dpr);
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    fit();
    // Drawn at once, so that the frame is made with its true axes and not twice.
    controller.draw();
    const sizes = new ResizeObserver(fit);
    sizes.observe(plot);
    // Zooming the page changes the pixel ratio, not always the size.
    window.addEventListener('resize', fit);
    const sight =
      typeof IntersectionObserver === 'undefined'
        ? null
        : new IntersectionObserver(
            (entries) => {
              controller.setVisible(entries.at(-1)?.isIntersecting ?? true);
            },
            { rootMargin: '100px' },
          );
    sight?.observe(plot);
    return () => {
      sizes.disconnect();
      window.removeEventListener('resize', fit);
      sight?.disconnect();
    };
  }, [controller, surface]);
  useEffect(() => {
    if (feed === undefined) return undefined;
    const stops = [feed(controller.poke), onHeartbeat(controller.poke)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [controller, feed]);
  return { controller, surface, size };
}
