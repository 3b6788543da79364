import '@testing-library/jest-dom';

import { TextDecoder, TextEncoder } from 'node:util';
import { deserialize, serialize } from 'node:v8';

import { configure } from '@testing-library/react';

// A machine that others load takes longer than the second that is given by default: minutes, as
// everywhere in the tests.
configure({ asyncUtilTimeout: 5 * 60_000 });
/* What jsdom lacks and components ask for. */
Object.defineProperty(window, 'matchMedia', {
  writable: true,
  configurable: true,
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  }),
});
/* As wide as the window opens at first: jsdom's own width is that of a small one. */
window.innerWidth = 1_440;
class Observer {
  observe(): void {
    return;
  }
  unobserve(): void {
    return;
  }
  disconnect(): void {
    return;
  }
}
Object.assign(globalThis, { ResizeObserver: Observer, IntersectionObserver: Observer });
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.scrollTo = () => undefined;
if (!('randomUUID' in crypto))
  Object.assign(crypto, { randomUUID: () => '00000000-0000-4000-8000-000000000000' });
/* The router encodes its addresses with these; the bytes they give are Node's own. */
Object.assign(globalThis, {
  TextDecoder,
  TextEncoder,
  Uint8Array: new TextEncoder().encode('').constructor,
});
/* The channel clones what passes, as every port does. */
if (!('structuredClone' in globalThis))
  Object.assign(globalThis, {
    structuredClone: (value: unknown): unknown => deserialize(serialize(value)),
  });
/*
 * jsdom has no canvas and says so loudly at each draw. Tests that look at drawing put a recording
 * pen here.
 */
Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', {
  configurable: true,
  writable: true,
  value: () => null,
});
/** The router makes one for each navigation and reads little of it. */
class NavigationRequest {
  readonly url: string;
  readonly method = 'GET';
  readonly headers = new Map<string, string>();
  readonly signal: AbortSignal | null;
  constructor(url: string, init: { signal?: AbortSignal } = {}) {
    this.url = url;
    this.signal = init.signal ?? null;
  }
}
if (!('Request' in globalThis)) Object.assign(globalThis, { Request: NavigationRequest });
