import type { FilterFactory } from '../component.js';
import type { Token } from '../token.js';

/**
 * Positions in the flattened graph by position (node) of the input. A node lies one behind the latest node that a token
 * leads from to it; where no token leads to a node, the gap to the node before it stays.
 */
function flattenedNodes(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const nodes = new Map<number, number>([[0, 0]]);
  const nodeOf = (position: number): number => {
    for (let before = position; before >= 0; before--) {
      const known = nodes.get(before);
      if (known === undefined) continue;
      nodes.set(position, known + position - before);
      break;
    }
    return nodes.get(position)!;
  };
  for (const { position, span } of tokens) {
    const to = position + span;
    nodes.set(to, Math.max(nodes.get(to) ?? 0, nodeOf(position) + 1));
  }
  return nodes;
}

/**
 * Gives the tokens that begin or end at one node the same offset there: the latest start, the earliest end. So a joined
 * token does not claim delimiters around its parts.
 */
function shrinkOffsets(tokens: Token[]): void {
  const starts = new Map<number, number>();
  const ends = new Map<number, number>();
  for (const { position, span, start, end } of tokens) {
    starts.set(position, Math.max(starts.get(position) ?? 0, start));
    ends.set(position + span, Math.min(ends.get(position + span) ?? Infinity, end));
  }
  let last = 0;
  for (const token of tokens) {
    last = token.start = Math.max(last, starts.get(token.position)!);
    token.end = Math.max(token.start, ends.get(token.position + token.span)!);
  }
}

/**
 * `flatten_graph`: merges the paths of a token graph, so that an index, which stores no spans, has their tokens one
 * behind the other. As Lucene 9.9 FlattenGraphFilter: each node of the graph gets the longest of the paths to it.
 */
export const flattenGraph: FilterFactory = {
  create: (name) => ({
    name,
    normalize: null,
    apply({ tokens, endPosition }) {
      const nodes = flattenedNodes(tokens);
      const last = tokens.at(-1);
      const end = last === undefined ? 0 : last.position + last.span;
      const flat = tokens.map((token) => {
        const position = nodes.get(token.position)!;
        return { ...token, position, span: nodes.get(token.position + token.span)! - position };
      });
      flat.sort((a, b) => a.position - b.position);
      shrinkOffsets(flat);
      return { tokens: flat, endPosition: Math.max(0, (nodes.get(end) ?? 0) + endPosition - end) };
    },
  }),
};
