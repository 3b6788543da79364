import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { z } from 'zod';
import { fail } from './errors.ts';
import { planFileSchema, type PlanFile } from './plan.ts';

/** 1-based line and column of a character offset. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

/**
 * A plan file (JSON, comments and trailing commas allowed) as a checked plan.
 * Throws invalidInput naming file, line and column of each mistake (ten at most).
 */
export function parsePlanText(text: string, fileName: string): PlanFile {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const syntax = errors[0];
  if (syntax || !tree) {
    const { line, column } = lineAndColumn(text, syntax?.offset ?? 0);
    throw fail('invalidInput', `${fileName}:${line}:${column}: ${syntax ? printParseErrorCode(syntax.error) : 'the file is empty'}.`, 'Correct the JSON at that place.', { line, column });
  }
  const parsed = planFileSchema.safeParse(valueOf(tree));
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.slice(0, 10).map((issue) => placeOf(text, tree, issue));
  const first = places[0]!;
  throw fail('invalidInput', places.map(({ line, column, words }) => `${fileName}:${line}:${column}: ${words}`).join('\n'), 'Correct the plan at that place; docs/formats.md describes it.', { line: first.line, column: first.column });
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type === 'object') return Object.fromEntries((node.children ?? []).map(({ children }) => [String(children?.[0]?.value), children?.[1] ? valueOf(children[1]) : undefined]));
  return node.value as unknown;
}

function placeOf(text: string, tree: Node, issue: z.core.$ZodIssue): { line: number; column: number; words: string } {
  const path = issue.path.filter((step): step is string | number => typeof step !== 'symbol');
  // A missing member has no place of its own: the nearest parent that is there is named.
  let node: Node | undefined;
  for (let depth = path.length; depth >= 0 && !node; depth -= 1) node = findNodeAtLocation(tree, path.slice(0, depth));
  return { ...lineAndColumn(text, node?.offset ?? 0), words: `${path.join('.') || 'the file'}: ${issue.message}` };
}
