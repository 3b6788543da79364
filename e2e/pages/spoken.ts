import type { CDPSession, Page } from '@playwright/test';

/** What a person acts on, and what they jump to: a reader says its name, or says nothing useful. */
const named: ReadonlySet<string> = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'radio',
  'radiogroup',
  'switch',
  'slider',
  'spinbutton',
  'tab',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'dialog',
  'region',
  'navigation',
  'table',
  'grid',
  'img',
  'heading',
  'progressbar',
]);

interface SpokenNode {
  ignored: boolean;
  role?: { value?: unknown };
  name?: { value?: unknown };
  backendDOMNodeId?: number;
}

const wordOf = (said: SpokenNode['name']): string =>
  typeof said?.value === 'string' ? said.value : '';

/**
 * The places of the accessibility tree that a screen reader cannot name, each as its role and the
 * start of its markup.
 */
export async function unnamedPlaces(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as {
      nodes: SpokenNode[];
    };
    const silent = nodes.filter(
      ({ ignored, role, name }) =>
        !ignored && named.has(wordOf(role)) && wordOf(name).trim() === '',
    );
    return await Promise.all(
      silent.map(async (node) => `${wordOf(node.role)}: ${await markupOf(session, node)}`),
    );
  } finally {
    await session.detach();
  }
}

async function markupOf(session: CDPSession, { backendDOMNodeId }: SpokenNode): Promise<string> {
  if (backendDOMNodeId === undefined) return 'no element';
  const { outerHTML } = await session.send('DOM.getOuterHTML', { backendNodeId: backendDOMNodeId });
  return outerHTML.slice(0, 120);
}
