import type { ConsoleRequest, JsonNode } from './json-node.js';
import { isOfLines } from './request-text.js';

/** A change of the text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/**
 * Lays out the body of a request: two spaces a level, one member a line; values of lines on one line each. A body that
 * is laid out so already becomes one line. Numbers and texts stay as they are; a value that holds a comment is not
 * touched.
 */
export function formatRequest({ body, path }: ConsoleRequest, text: string): readonly TextChange[] {
  const isLines = body.length > 1 || isOfLines(path);
  return body.flatMap((node) => {
    const written = text.slice(node.from, node.to);
    if (hasComment(node, text)) return [];
    const wide = layOut(node, text, 0);
    const insert = isLines || written === wide ? onOneLine(node, text) : wide;
    return insert === written ? [] : [{ from: node.from, to: node.to, insert }];
  });
}

function layOut(node: JsonNode, text: string, depth: number): string {
  const inner = '  '.repeat(depth + 1);
  const parts = partsOf(node, (child) => layOut(child, text, depth + 1), text, ': ');
  if (parts === null) return text.slice(node.from, node.to);
  const [open, close] = node.kind === 'object' ? '{}' : '[]';
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${'  '.repeat(depth)}${close}`;
}

function onOneLine(node: JsonNode, text: string): string {
  const parts = partsOf(node, (child) => onOneLine(child, text), text, ':');
  if (parts === null) return text.slice(node.from, node.to);
  const [open, close] = node.kind === 'object' ? '{}' : '[]';
  return `${open}${parts.join(',')}${close}`;
}

/** The members or items of a container as text; null for a value that is none. */
function partsOf(
  { members, items }: JsonNode,
  write: (node: JsonNode) => string,
  text: string,
  colon: string,
): readonly string[] | null {
  if (members !== undefined)
    return members.map(
      ({ key, value }) => `${text.slice(key.from, key.to)}${colon}${value === null ? '' : write(value)}`,
    );
  return items?.map(write) ?? null;
}

/** Whether something between the values is neither bracket, comma, colon nor space. */
function hasComment(node: JsonNode, text: string): boolean {
  const plain = onOneLine(node, text);
  const bare = (value: string): number => value.replace(/[\s,:[\]{}]/g, '').length;
  return bare(plain) !== bare(text.slice(node.from, node.to));
}
