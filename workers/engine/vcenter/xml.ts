import { SaxesParser } from 'saxes';

import { fail } from '../../../src/core/base/errors.ts';

/**
 * One element. Names are local names: vCenter and its simulator use different prefixes for the same
 * namespace.
 */
export interface XmlNode {
  readonly name: string;
  /** `xsi:type` without its prefix: the element's real type. */
  readonly type: string | null;
  /** The plain `type` attribute: what a managed object reference points at. */
  readonly refType: string | null;
  text: string;
  children: XmlNode[];
}

export interface XmlLimits {
  /** Characters in all, after decompression. */
  maxChars: number;
  maxDepth: number;
  maxNodes: number;
}
/** An inventory of 64 hosts and 1,000 VMs is about 13 million characters in 380,000 elements. */
export const defaultXmlLimits: XmlLimits = {
  maxChars: 256_000_000,
  maxDepth: 256,
  maxNodes: 8_000_000,
};

const xsi = 'http://www.w3.org/2001/XMLSchema-instance';
/**
 * Shared by all leaves: most elements have no children, and an array each would double the tree.
 */
const none: XmlNode[] = Object.freeze([]) as unknown as XmlNode[];

export interface XmlTreeParser {
  write(chunk: string): void;
  /** The document element. */
  end(): XmlNode;
}

const unreadable = (reason: string) =>
  fail(
    'unreachable',
    `The answer is not one of a vCenter: ${reason}`,
    'Check that the address and port are those of a vCenter.',
  );

/**
 * Builds a tree from chunks of text. Entities are never expanded from a DTD, and size, depth and
 * number of elements are bounded. Throws AppError `unreachable` for anything that is not
 * well-formed XML, and `internal` where a limit is exceeded.
 */
export function xmlTreeParser(limits: XmlLimits = defaultXmlLimits): XmlTreeParser {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const stack: XmlNode[] = [];
  let root: XmlNode | null = null;
  let current: XmlNode | null = null;
  let nodes = 0;
  let chars = 0;
  let failure: Error | null = null;

  parser.on('opentag', (tag) => {
    const depth = current === null ? 1 : stack.length + 2;
    if (++nodes > limits.maxNodes || depth > limits.maxDepth)
      throw fail(
        'internal',
        `The answer exceeds ${limits.maxNodes} elements or ${limits.maxDepth} levels.`,
      );
    let type: string | null = null;
    let refType: string | null = null;
    for (const key in tag.attributes) {
      const attribute = tag.attributes[key]!;
      if (attribute.local !== 'type') continue;
      if (attribute.uri === xsi) type = attribute.value.slice(attribute.value.indexOf(':') + 1);
      else if (attribute.uri === '') refType = attribute.value;
    }
    const node: XmlNode = { name: tag.local, type, refType, text: '', children: none };
    if (current === null) root = node;
    else if (current.children === none) current.children = [node];
    else current.children.push(node);
    if (current !== null) stack.push(current);
    current = node;
  });
  parser.on('closetag', () => {
    current = stack.pop() ?? null;
  });
  const addText = (text: string): void => {
    if (current !== null) current.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);

  const guarded = (work: () => void): void => {
    if (failure !== null) throw failure;
    try {
      work();
    } catch (error) {
      failure =
        error instanceof Error && error.name === 'AppError'
          ? error
          : unreadable(error instanceof Error ? error.message.slice(0, 200) : String(error));
      throw failure;
    }
  };
  return {
    write(chunk) {
      chars += chunk.length;
      guarded(() => {
        if (chars > limits.maxChars)
          throw fail('internal', `The answer is longer than ${limits.maxChars} characters.`);
        parser.write(chunk);
      });
    },
    end() {
      guarded(() => {
        parser.close();
      });
      if (root === null) throw unreadable('it is empty.');
      return root;
    },
  };
}

/** A whole document at once. */
export function parseXml(text: string, limits?: XmlLimits): XmlNode {
  const parser = xmlTreeParser(limits);
  parser.write(text);
  return parser.end();
}

export function child(node: XmlNode | null | undefined, name: string): XmlNode | null {
  if (!node) return null;
  for (const candidate of node.children) if (candidate.name === name) return candidate;
  return null;
}
export function childrenNamed(node: XmlNode | null | undefined, name: string): XmlNode[] {
  return node ? node.children.filter((c) => c.name === name) : [];
}
/** Follows names downwards: `descend(host, 'hardware', 'biosInfo')`. */
export function descend(node: XmlNode | null | undefined, ...names: string[]): XmlNode | null {
  let at = node ?? null;
  for (const name of names) at = child(at, name);
  return at;
}
/** Text of an element; null when it is absent or empty. */
export function textOf(node: XmlNode | null | undefined): string | null {
  const text = node?.text.trim();
  return text === undefined || text === '' ? null : text;
}
/** A finite number, or null: what is not given is never guessed. */
export function numberOf(node: XmlNode | null | undefined): number | null {
  const text = textOf(node);
  const value = text === null ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
export function booleanOf(node: XmlNode | null | undefined): boolean | null {
  const text = textOf(node);
  return text === null ? null : text === 'true' || text === '1';
}
