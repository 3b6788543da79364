import { keepFocus } from './keptFocus.ts';

let end: () => void;
beforeEach(() => {
  document.body.innerHTML = '<div id="root"><button>Export</button><button>Note</button></div>';
  end = keepFocus(document);
});
afterEach(() => end());

const named = (name: string): HTMLButtonElement =>
  [...document.querySelectorAll('button')].find((one) => one.textContent === name)!;
/**
 * A layer as the library makes it: in a portal at the end of the page, gone as a whole when it
 * closes.
 */
function layer(role: 'menu' | 'dialog', button: string): () => void {
  let portal = document.querySelector<HTMLElement>('[data-portal]');
  if (portal === null) {
    portal = document.createElement('div');
    portal.dataset['portal'] = 'true';
    document.body.append(portal);
  }
  const frame = document.createElement('div');
  frame.innerHTML = `<div role="${role}"><button>${button}</button></div>`;
  portal.append(frame);
  return () => frame.firstElementChild?.remove();
}
/** Observers, which are heard in a microtask, and the timers they set have had their turn. */
async function settled(): Promise<void> {
  await Promise.resolve();
  await new Promise((done) => setTimeout(done, 0));
}

test('an item of a menu that does its work at once leaves the focus on the menu’s button', async () => {
  named('Note').focus();
  named('Export').focus();
  const close = layer('menu', 'CSV');
  await settled();
  named('CSV').focus();
  close();
  await settled();
  expect(document.activeElement).toBe(named('Export'));
});

test('a dialog opened from a menu that is gone leaves the focus on the menu’s button', async () => {
  named('Export').focus();
  const closeMenu = layer('menu', 'Bundle');
  await settled();
  named('Bundle').focus();
  const closeDialog = layer('dialog', 'Write');
  named('Write').focus();
  closeMenu();
  await settled();
  expect(document.activeElement).toBe(named('Write'));
  closeDialog();
  await settled();
  expect(document.activeElement).toBe(named('Export'));
});

test('a closing layer takes the focus from nobody, and one that is gone from the page gives it to none', async () => {
  named('Export').focus();
  const close = layer('dialog', 'Write');
  await settled();
  named('Write').focus();
  named('Note').focus();
  close();
  await settled();
  expect(document.activeElement).toBe(named('Note'));
});
