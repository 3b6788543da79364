import { formatSi, noValue } from '../../../core/base/format.ts';
import type { Ranked } from './rankModel.ts';

/** Beats between two new orders: bars must not change places under the eye every second. */
const orderEvery = 5;

/**
 * Puts ranked things in the order that is shown: theirs at the first, at every fifth call and where
 * their number changed, else the last one. `still`: somebody points at a bar, so it stays.
 */
export function createRankOrder(): (fresh: readonly Ranked[], still: boolean) => Ranked[] {
  let beat = 0;
  let order: string[] = [];
  return (fresh, still) => {
    if (order.length !== fresh.length || (beat++ % orderEvery === 0 && !still))
      order = fresh.map((r) => r.key);
    const byKey = new Map(fresh.map((r) => [r.key, r]));
    return order.flatMap((key) => byKey.get(key) ?? []);
  };
}

/** Writes heights, colours and names to what React has laid out; only what changed. */
export function writeRanks(box: HTMLElement, shown: readonly Ranked[]): void {
  box.querySelectorAll<HTMLElement>('[data-bar]').forEach((bar, i) => {
    const r = shown[i];
    if (r !== undefined) writeBar(bar, r);
  });
  box.querySelectorAll<HTMLButtonElement>('[data-name]').forEach((node, i) => {
    const r = shown[i];
    if (r === undefined) return;
    setText(node, `${r.name} ${Number.isFinite(r.value) ? formatSi(r.value) : noValue}`);
    if (node.dataset.level !== r.state) node.dataset.level = r.state;
    if (node.title !== r.text) node.title = r.text;
  });
}

function writeBar(bar: HTMLElement, r: Ranked): void {
  const fill = bar.firstElementChild as HTMLElement;
  const height = `${(r.share * 100).toFixed(1)}%`;
  if (fill.style.height !== height) fill.style.height = height;
  if (bar.dataset.level !== r.state) bar.dataset.level = r.state;
}

/** Shows which bar is pointed at; null = none. */
export const pointBar = (box: HTMLElement, index: number | null): void =>
  box.querySelectorAll<HTMLElement>('[data-bar]').forEach((bar, i) => {
    bar.toggleAttribute('data-at', i === index);
  });

/** Place of the bar under an event; null = none. */
export function barAt(target: EventTarget): number | null {
  const bar = (target as Element).closest<HTMLElement>('[data-bar]');
  return bar === null ? null : Number(bar.dataset.bar);
}

export const setText = (node: Element | null, text: string): void => {
  if (node !== null && node.textContent !== text) node.textContent = text;
};
