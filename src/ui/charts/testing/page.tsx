import { MantineProvider } from '@mantine/core';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';

import { type RecordingPen, recordingPen } from './lab.ts';

/** What jsdom lacks for a chart: sizes, observers, a canvas. Returns the pen all canvases share. */
export function installChartDom(width = 680, height = 228): RecordingPen {
  const pen = recordingPen();
  const define = (target: object, name: string, value: PropertyDescriptor): void => {
    if (Object.getOwnPropertyDescriptor(target, name)?.configurable === false)
      Object.assign(target, { [name]: value.value as unknown });
    else Object.defineProperty(target, name, { configurable: true, ...value });
  };
  define(HTMLElement.prototype, 'clientWidth', { get: () => width });
  define(HTMLElement.prototype, 'clientHeight', { get: () => height });
  define(HTMLCanvasElement.prototype, 'getContext', { value: () => pen.pen });
  define(globalThis, 'ResizeObserver', {
    writable: true,
    value: class {
      observe(): void {
        /* sizes are fixed here */
      }
      unobserve(): void {
        /* sizes are fixed here */
      }
      disconnect(): void {
        /* sizes are fixed here */
      }
    },
  });
  define(window, 'matchMedia', {
    writable: true,
    value: (query: string) => ({
      matches: false,
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      addListener: () => undefined,
      removeListener: () => undefined,
      dispatchEvent: () => false,
      onchange: null,
    }),
  });
  if (!('PointerEvent' in window))
    define(window, 'PointerEvent', { writable: true, value: class extends MouseEvent {} });
  define(Element.prototype, 'scrollIntoView', { writable: true, value: () => undefined });
  return pen;
}

export const renderPage = (node: ReactNode): RenderResult =>
  render(<MantineProvider env="test">{node}</MantineProvider>);
