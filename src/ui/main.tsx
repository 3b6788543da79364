import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './shell/look/global.css';

import { createRoot } from 'react-dom/client';

import { askAhead } from './engine/askAhead.ts';
import { createServices } from './engine/bridge.ts';
import { createAppStore } from './engine/store.ts';
import { whenAnswered } from './engine/whenAnswered.ts';
import { workspaceAddress, type WorkspaceKind, workspaceOf } from './engine/workspace.ts';
import { App } from './shell/App.tsx';
import { loadPages } from './shell/loadPages.ts';
import { showUnheard } from './shell/unheard.ts';

window.addEventListener('unhandledrejection', showUnheard);

const root = createRoot(document.getElementById('root')!);
let leave = (): void => undefined;
let shown: WorkspaceKind | null = null;
/** What belongs to the first page alone, once it has its answers. */
const firstLookMs = 500;
/**
 * A page that is drawn with its answers is drawn once. An engine that runs takes 20 to 30 ms for
 * them; for one that is starting, or far away, nobody looks at an empty window for longer than this.
 */
const answersMs = 80;

/**
 * The whole application over one workspace. Another workspace is another engine: nothing of the
 * first stays, and no page load is needed.
 */
function show(kind: WorkspaceKind): void {
  leave();
  const services = createServices(window, {
    kind,
    open(next, route) {
      window.history.pushState(null, '', workspaceAddress(window.location.href, next, route));
      show(next);
    },
  });
  const store = createAppStore(services);
  const patience = shown === null ? answersMs : 0;
  shown = kind;
  let left = false;
  const draw = (): void => {
    if (left) return;
    root.render(<App key={`${kind} ${performance.now()}`} services={services} store={store} />);
  };
  void Promise.race([
    askAhead(store, window.location.hash),
    new Promise((resolve) => setTimeout(resolve, patience)),
  ]).then(draw, draw);
  // The next click must not wait for its page; the first page's answers, its drawing and whoever
  // reaches for it at once not for the others. If this fails, so does that click, and says why.
  void whenAnswered(store).then(() =>
    setTimeout(
      () =>
        requestIdleCallback(() => {
          loadPages().catch(() => undefined);
        }),
      firstLookMs,
    ),
  );
  leave = () => {
    left = true;
    services.client.close();
    services.host?.close();
  };
}

// Back and forward may lead to the other workspace.
window.addEventListener('popstate', () => {
  const kind = workspaceOf(window.location.href);
  if (kind !== shown) show(kind);
});
show(workspaceOf(window.location.href));
