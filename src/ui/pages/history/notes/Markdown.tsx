import { Anchor, Checkbox, Code, Text } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { createElement, Fragment, type ReactNode, useMemo } from 'react';

import { Table } from '../../../kit/Table.tsx';
import { type NoteNode, parseNote } from './markdownModel.ts';
import styles from './notes.module.css';

/**
 * A note as it reads. Drawn from a tree of allowed parts: raw HTML stands as text, links open
 * outside, no image is loaded.
 */
export function Markdown({ text }: { text: string }) {
  const tree = useMemo(() => parseNote(text), [text]);
  return <div className={styles.note}>{drawAll(tree)}</div>;
}

// A note has no identity below the whole: places serve as keys.
const drawAll = (children: readonly NoteNode[]): ReactNode =>
  children.map((child, i) => <Fragment key={i}>{draw(child)}</Fragment>);

function draw(node: NoteNode): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'strong':
    case 'em':
    case 'del':
      return createElement(node.kind, null, drawAll(node.children));
    case 'code':
      return <Code>{node.text}</Code>;
    case 'break':
      return <br />;
    case 'rule':
      return <hr />;
    case 'link':
      return (
        <Anchor
          href={node.href}
          target="_blank"
          rel="noopener noreferrer"
          inherit
          underline="always"
        >
          {drawAll(node.children)}
        </Anchor>
      );
    case 'image':
      return (
        <Text span inherit title={node.href ?? undefined}>
          <IconPhotoOff size={14} aria-hidden style={{ verticalAlign: '-2px' }} />
          {` Image not loaded: ${node.alt || (node.href ?? 'no address')}`}
        </Text>
      );
    case 'paragraph':
      return <p>{drawAll(node.children)}</p>;
    case 'quote':
      return <blockquote>{drawAll(node.children)}</blockquote>;
    // The page has its own first two levels.
    case 'heading':
      return createElement(`h${Math.min(6, node.depth + 2)}`, null, drawAll(node.children));

    case 'block':
      /* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide block scrolls: the
         keyboard has to reach it. */
      return <pre tabIndex={0}>{node.text}</pre>;
    case 'list':
      return createElement(
        node.ordered ? 'ol' : 'ul',
        node.ordered && node.start !== 1 ? { start: node.start } : null,
        node.items.map((item, i) => (
          <li key={i} data-task={item.done === null ? undefined : true}>
            {item.done !== null && (
              <Checkbox
                size="xs"
                checked={item.done}
                readOnly
                tabIndex={-1}
                aria-label={item.done ? 'Done' : 'To do'}
                className={styles.task}
              />
            )}
            {drawAll(item.children)}
          </li>
        )),
      );
    case 'table':
      return (
        <Table fz="sm" withTableBorder withColumnBorders w="auto">
          <Table.Thead>
            <Table.Tr>
              {node.head.map((cell, i) => (
                <Table.Th key={i} ta={node.align[i] ?? undefined}>
                  {drawAll(cell)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {node.rows.map((row, r) => (
              <Table.Tr key={r}>
                {row.map((cell, i) => (
                  <Table.Td key={i} ta={node.align[i] ?? undefined}>
                    {drawAll(cell)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      );
  }
}
