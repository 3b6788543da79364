import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { fail } from './errors.ts';
import { planFileSchema, type PlanFile } from './plan.ts';

/** A plan file larger than this is none. */
const maxChars = 20_000_000;

/** Parses a plan file: JSON, comments and trailing commas allowed. Throws invalidInput with `name:line:column` of each fault (at most ten). */
export function parsePlanFile(name: string, text: string): PlanFile {
  if (text.length > maxChars) throw fail('invalidInput', `${name} is larger than ${maxChars} characters: no plan file.`);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const refuse = (faults: readonly { offset: number; text: string }[]): never => {
    const lines = faults.slice(0, 10).map((fault) => `${name}:${position(text, fault.offset)}: ${fault.text}`);
    const more = faults.length > 10 ? [`… and ${faults.length - 10} more.`] : [];
    throw fail('invalidInput', [...lines, ...more].join('\n'), 'The format is described in docs/formats.md.');
  };
  if (errors.length > 0 || tree === undefined) return refuse(errors.length > 0 ? errors.map((e) => ({ offset: e.offset, text: words(printParseErrorCode(e.error)) })) : [{ offset: 0, text: 'the file is empty' }]);
  const parsed = planFileSchema.safeParse(getNodeValue(tree));
  if (parsed.success) return parsed.data;
  return refuse(parsed.error.issues.map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    // What is missing has no node: its nearest parent is shown.
    for (let length = path.length; length > 0; length -= 1) {
      const node = findNodeAtLocation(tree, path.slice(0, length));
      if (node) return { offset: node.offset, text: `${path.join('.')}: ${issue.message}` };
    }
    return { offset: tree.offset, text: `${path.join('.') || 'plan'}: ${issue.message}` };
  }));
}

/** `InvalidCommaToken` → `invalid comma token`. */
function words(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** `line:column`, both from 1. */
export function position(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `${line}:${offset - before.lastIndexOf('\n')}`;
}
