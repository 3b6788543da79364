import { Lexer, type Token, type Tokens } from 'marked';

/**
 * What a note may hold, and nothing else: the screen draws this tree, no HTML is ever made of it.
 */
export type NoteNode =
  | { kind: 'text'; text: string }
  | { kind: 'strong' | 'em' | 'del'; children: NoteNode[] }
  | { kind: 'code'; text: string }
  | { kind: 'break' | 'rule' }
  | { kind: 'link'; href: string; children: NoteNode[] }
  | { kind: 'image'; alt: string; href: string | null }
  | { kind: 'paragraph' | 'quote'; children: NoteNode[] }
  | { kind: 'heading'; depth: number; children: NoteNode[] }
  | { kind: 'block'; text: string; language: string }
  | {
      kind: 'list';
      ordered: boolean;
      start: number;
      items: { done: boolean | null; children: NoteNode[] }[];
    }
  | {
      kind: 'table';
      head: NoteNode[][];
      rows: NoteNode[][][];
      align: ('left' | 'right' | 'center' | null)[];
    };

/**
 * An address that may be opened outside: http, https or mailto; null for any other, and for what is
 * no address.
 */
export function safeAddress(href: string): string | null {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return null;
  try {
    return new URL(href).href;
  } catch {
    // URL.canParse is newer than the oldest renderer that is tested.
    return null;
  }
}

// The lexer gives text with the five entities that HTML needs; on screen they are characters.
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const plain = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (found) => entities[found] ?? found);

/**
 * Markdown (GitHub's dialect) as a tree of what is allowed. Raw HTML stands as the text it is;
 * links to anything but the web and mail lose their address.
 */
export function parseNote(markdown: string): NoteNode[] {
  return nodes(new Lexer({ gfm: true, breaks: true }).lex(markdown));
}

const nodes = (tokens: readonly Token[] | undefined): NoteNode[] =>
  (tokens ?? []).flatMap((token) => node(token));

function node(token: Token): NoteNode[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'paragraph':
      return [{ kind: 'paragraph', children: nodes(token.tokens) }];
    case 'blockquote':
      return [{ kind: 'quote', children: nodes(token.tokens) }];
    case 'heading':
      return [
        { kind: 'heading', depth: (token as Tokens.Heading).depth, children: nodes(token.tokens) },
      ];
    case 'code': {
      const code = token as Tokens.Code;
      return [{ kind: 'block', text: code.text, language: code.lang ?? '' }];
    }
    case 'hr':
      return [{ kind: 'rule' }];
    case 'br':
      return [{ kind: 'break' }];
    case 'strong':
    case 'em':
    case 'del':
      return [{ kind: token.type, children: nodes(token.tokens) }];
    case 'codespan':
      return [{ kind: 'code', text: plain((token as Tokens.Codespan).text) }];
    case 'link': {
      const link = token as Tokens.Link;
      const href = safeAddress(link.href);
      return href === null
        ? nodes(link.tokens)
        : [{ kind: 'link', href, children: nodes(link.tokens) }];
    }
    case 'image': {
      const image = token as Tokens.Image;
      return [{ kind: 'image', alt: image.text, href: safeAddress(image.href) }];
    }
    case 'list': {
      const list = token as Tokens.List;
      return [
        {
          kind: 'list',
          ordered: list.ordered,
          start: typeof list.start === 'number' ? list.start : 1,
          items: list.items.map((item) => ({
            done: item.task ? item.checked === true : null,
            children: nodes(item.tokens),
          })),
        },
      ];
    }
    case 'table': {
      const table = token as Tokens.Table;
      return [
        {
          kind: 'table',
          head: table.header.map((cell) => nodes(cell.tokens)),
          rows: table.rows.map((row) => row.map((cell) => nodes(cell.tokens))),
          align: [...table.align],
        },
      ];
    }
    // The box of a task is drawn from its item.
    case 'checkbox':
      return [];
    case 'text':
    case 'escape': {
      const { tokens, text } = token as Tokens.Text;
      return tokens !== undefined && tokens.length > 0
        ? nodes(tokens)
        : [{ kind: 'text', text: plain(text) }];
    }
    default:
      return [{ kind: 'text', text: token.raw }];
  }
}

/** A note in one line, without its marks: for places too small for the whole. */
export const notePlain = (markdown: string): string =>
  parseNote(markdown).map(textOf).join(' ').replace(/\s+/g, ' ').trim();

function textOf(node: NoteNode): string {
  switch (node.kind) {
    case 'text':
    case 'code':
    case 'block':
      return node.text;
    case 'image':
      return node.alt;
    case 'break':
    case 'rule':
      return ' ';
    case 'list':
      return node.items.map((item) => item.children.map(textOf).join('')).join(' ');
    case 'table':
      return [node.head, ...node.rows]
        .flat()
        .map((cell) => cell.map(textOf).join(''))
        .join(' ');
    default:
      return node.children.map(textOf).join('');
  }
}
