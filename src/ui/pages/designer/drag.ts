import type { Axis } from './geometry.ts';

/** Where something can be dropped: a column of a board; `ref` empty = nowhere planned. */
export interface DropPlace {
  axis: Axis;
  ref: string;
  name: string;
}
/** One board as the drag sees it: geometry only, nothing is drawn again while a drag goes. */
export interface Surface {
  hit: (x: number, y: number) => DropPlace | null;
  /** Shows where a drop would land; null = nowhere here. */
  mark: (place: DropPlace | null) => void;
  /** Scrolls when the pointer is near an edge; true while there is more to scroll. */
  nudge: (x: number, y: number) => boolean;
}
/** What a drag takes along, and what becomes of it. */
export interface Carried {
  label: string;
  drop: (place: DropPlace) => void;
  cancelled: () => void;
}
export interface Drag {
  /** Names the element that follows the pointer. */
  follow: (element: HTMLElement | null) => void;
  register: (surface: Surface) => () => void;
  /**
   * A pointer went down on something that can be dragged. Nothing moves before `thresholdPx`;
   * Escape takes it back.
   */
  press: (
    event: { clientX: number; clientY: number; pointerId: number },
    started: () => Carried | null,
  ) => void;
  /** The last press became a drag: the click after it selects nothing. */
  dragged: () => boolean;
}

const thresholdPx = 4;

/**
 * Drag and drop by pointer events. A frame moves one element by transform and one mark by
 * transform, both without React: its cost does not grow with the board.
 */
export function createDrag(window: Window): Drag {
  let ghost: HTMLElement | null = null;
  const surfaces = new Set<Surface>();
  let wasDrag = false;
  return {
    follow(element) {
      ghost = element;
    },
    register(surface) {
      surfaces.add(surface);
      return () => {
        surfaces.delete(surface);
      };
    },
    dragged: () => wasDrag,
    press({ clientX, clientY, pointerId }, started) {
      wasDrag = false;
      let x = clientX,
        y = clientY,
        frame = 0;
      let over: DropPlace | null = null;
      let held: Carried | null = null;
      const draw = (): void => {
        frame = 0;
        over = null;
        let scrolling = false;
        for (const surface of surfaces) {
          const place = surface.hit(x, y);
          surface.mark(place);
          over ??= place;
          scrolling = surface.nudge(x, y) || scrolling;
        }
        show(ghost, held?.label ?? '', over, x, y);
        if (scrolling) frame = window.requestAnimationFrame(draw);
      };
      const move = (event: PointerEvent): void => {
        if (event.pointerId !== pointerId) return;
        x = event.clientX;
        y = event.clientY;
        if (held === null) {
          if (Math.hypot(x - clientX, y - clientY) < thresholdPx) return;
          held = started();
          if (held === null) {
            finish();
            return;
          }
          wasDrag = true;
        }
        if (frame === 0) frame = window.requestAnimationFrame(draw);
      };
      const up = (event: PointerEvent): void => {
        if (event.pointerId !== pointerId) return;
        const done = held;
        if (done) {
          x = event.clientX;
          y = event.clientY;
          draw();
        }
        const place = over;
        finish();
        if (done && place) done.drop(place);
        else done?.cancelled();
      };
      const cancel = (): void => {
        const done = held;
        finish();
        done?.cancelled();
      };
      const key = (event: KeyboardEvent): void => {
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          cancel();
        }
      };
      const finish = (): void => {
        window.cancelAnimationFrame(frame);
        for (const surface of surfaces) surface.mark(null);
        show(ghost, '', null, 0, 0);
        held = null;
        window.removeEventListener('pointermove', move);
        window.removeEventListener('pointerup', up);
        window.removeEventListener('pointercancel', cancel);
        window.removeEventListener('blur', cancel);
        window.removeEventListener('keydown', key, true);
      };
      window.addEventListener('pointermove', move);
      window.addEventListener('pointerup', up);
      window.addEventListener('pointercancel', cancel);
      window.addEventListener('blur', cancel);
      window.addEventListener('keydown', key, true);
    },
  };
}

function show(
  element: HTMLElement | null,
  label: string,
  over: DropPlace | null,
  x: number,
  y: number,
): void {
  if (!element) return;
  if (label === '') {
    element.style.display = 'none';
    return;
  }
  const text = over ? `${label} → ${over.name}` : label;
  if (element.textContent !== text) element.textContent = text;
  element.style.display = 'block';
  element.style.transform = `translate(${x + 12}px, ${y + 14}px)`;
}
