import { useLayoutEffect, useState } from 'react';

import type { StageScene } from '../../../core/chart/stage/scene.ts';
import { windowScheduler } from '../scheduler.ts';
import { createStageController, type StageController } from './stageController.ts';
import { readStageTheme } from './stageTheme.ts';

export interface StageCanvas {
  /** Callback refs of the box that gives the size, and of the two canvases in it. */
  box: (node: HTMLDivElement | null) => void;
  standing: (node: HTMLCanvasElement | null) => void;
  moving: (node: HTMLCanvasElement | null) => void;
  controller: StageController;
  /** Width of the box, CSS px; 0 until it is known. */
  width: number;
}

const still = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

interface Nodes {
  box: HTMLDivElement | null;
  standing: HTMLCanvasElement | null;
  moving: HTMLCanvasElement | null;
}

function createParts() {
  const nodes: Nodes = { box: null, standing: null, moving: null };
  return {
    nodes: (): Readonly<Nodes> => nodes,
    box: (node: HTMLDivElement | null): void => {
      nodes.box = node;
    },
    standing: (node: HTMLCanvasElement | null): void => {
      nodes.standing = node;
    },
    moving: (node: HTMLCanvasElement | null): void => {
      nodes.moving = node;
    },
    controller: createStageController(
      {
        standing: () => nodes.standing?.getContext('2d') ?? null,
        moving: () => nodes.moving?.getContext('2d') ?? null,
      },
      windowScheduler(),
      { wallMs: () => performance.now(), still },
    ),
  };
}

/** Binds a stage to its canvas: size, pixel ratio, theme. `tile`: others are faded. */
export function useStageCanvas(scene: StageScene, tile: number | null): StageCanvas {
  const [{ nodes, box, standing, moving, controller }] = useState(createParts);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    controller.update(scene, tile);
  }, [controller, scene, tile]);
  useLayoutEffect(() => {
    const node = nodes().box!;
    const readTheme = (): void => {
      controller.setTheme(readStageTheme(node));
    };
    const fit = (): void => {
      // On a page that is zoomed by its style as many pixels more are needed.
      const dpr =
        (globalThis.devicePixelRatio || 1) *
        ((node as { currentCSSZoom?: number }).currentCSSZoom ?? 1);
      const [wide, high] = [Math.floor(node.clientWidth), Math.floor(node.clientHeight)];
      const pixels = [Math.round(wide * dpr), Math.round(high * dpr)] as const;
      for (const drawn of [nodes().standing!, nodes().moving!])
        if (drawn.width !== pixels[0] || drawn.height !== pixels[1])
          [drawn.width, drawn.height] = pixels;
      controller.resize(wide, high, dpr);
      setWidth(wide);
    };
    readTheme();
    fit();
    const themes = new MutationObserver(readTheme);
    themes.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-mantine-color-scheme', 'class', 'style'],
    });
    const sizes = new ResizeObserver(fit);
    sizes.observe(node);
    window.addEventListener('resize', fit);
    return () => {
      themes.disconnect();
      sizes.disconnect();
      window.removeEventListener('resize', fit);
      controller.stop();
    };
  }, [controller, nodes]);
  return { box, standing, moving, controller, width };
}
