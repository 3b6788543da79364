/** Where a window was, in the screen's points, and whether it filled its screen. */
export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
  maximized: boolean;
}

/** By hand: a library of schemas would be read before the first window. */
export function isBounds(data: unknown): data is Bounds {
  const bounds = data as Partial<Record<keyof Bounds, unknown>> | null;
  if (typeof bounds !== 'object' || bounds === null) return false;
  const { x, y, width, height, maximized } = bounds;
  return (
    [x, y, width, height].every((figure) => Number.isFinite(figure)) &&
    Math.min(Number(width), Number(height)) > 0 &&
    typeof maximized === 'boolean'
  );
}
