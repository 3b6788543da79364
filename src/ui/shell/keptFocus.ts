/**
 * So many places are remembered where the focus was: a dialog opened from a menu has passed three
 * or four.
 */
const remembered = 12;

/**
 * A dialog opened from a menu gives the focus back to an item that is gone with its menu, and the
 * keyboard would begin anew at the top of the page. Where a closing layer leaves the focus nowhere,
 * it goes to the last place that is still there. Only portals are watched: charts change what is
 * below `#root` many times a second. Returns the end of it.
 */
export function keepFocus(document: Document): () => void {
  const places: Element[] = [];
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || target === document.body) return;
    const at = places.indexOf(target);
    if (at >= 0) places.splice(at, 1);
    places.push(target);
    if (places.length > remembered) places.shift();
  };
  const restore = (): void => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      if (!(place instanceof HTMLElement) || !place.isConnected || isInert(place)) continue;
      place.focus({ preventScroll: true });
      if (document.activeElement === place) return;
    }
  };
  const watch = (node: Node): void => {
    if (node instanceof HTMLElement && node.dataset['portal'] !== undefined)
      observer.observe(node, { childList: true, subtree: true });
  };
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      if (target === document.body) addedNodes.forEach(watch);
    const closed = changes.some(({ removedNodes }) =>
      [...removedNodes].some((node) => node instanceof Element && holdsLayer(node)),
    );
    // After the library has had its turn.
    if (closed) setTimeout(restore, 0);
  });
  document.addEventListener('focusin', onFocus);
  observer.observe(document.body, { childList: true });
  document.body.childNodes.forEach(watch);
  return () => {
    document.removeEventListener('focusin', onFocus);
    observer.disconnect();
  };
}
const isInert = (node: Element): boolean => node.closest('[inert], [aria-hidden="true"]') !== null;
const layer = '[role="dialog"], [role="alertdialog"], [role="menu"]';
const holdsLayer = (node: Element): boolean =>
  node.matches(layer) || node.querySelector(layer) !== null;
