/** A set of characters, given by code point. */
export type CharacterTest = (code: number) => boolean;

/** Places between characters that a pattern may ask for. */
export type Place =
  | 'lineStart'
  | 'lineEnd'
  | 'textStart'
  | 'textEnd'
  | 'lastLineEnd'
  | 'wordEdge'
  | 'noWordEdge'
  | 'lastMatchEnd';

/** How often a part repeats: as often as it can, as seldom as it can, or as often as it can and never less. */
export type Greed = 'greedy' | 'lazy' | 'possessive';

/** A part of a regular expression of Java. */
export type RegexNode =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'group'; readonly number: number; readonly body: RegexNode }
  | {
      readonly kind: 'repeat';
      readonly body: RegexNode;
      readonly min: number;
      /** Infinity for no end. */
      readonly max: number;
      readonly greed: Greed;
    }
  | { readonly kind: 'look'; readonly body: RegexNode; readonly isBehind: boolean; readonly isNegated: boolean }
  | { readonly kind: 'atomic'; readonly body: RegexNode }
  | { readonly kind: 'reference'; readonly group: number; readonly fold: ((code: number) => number) | null };

/** A parsed regular expression. */
export interface ParsedRegex {
  readonly root: RegexNode;
  readonly groupCount: number;
  readonly names: Readonly<Record<string, number>>;
}

/** Units that a part may match, from and to. */
export function widthOf(node: RegexNode): readonly [min: number, max: number] {
  switch (node.kind) {
    case 'character':
      return [1, 2];
    case 'place':
    case 'look':
      return [0, 0];
    case 'reference':
      return [0, Infinity];
    case 'group':
    case 'atomic':
      return widthOf(node.body);
    case 'sequence':
      return node.parts.map(widthOf).reduce(([min, max], [a, b]) => [min + a, max + b], [0, 0] as const);
    case 'choice':
      return node.parts
        .map(widthOf)
        .reduce(([min, max], [a, b]) => [Math.min(min, a), Math.max(max, b)], [Infinity, 0] as const);
    case 'repeat': {
      const [min, max] = widthOf(node.body);
      return [min * node.min, max === 0 || node.max === 0 ? 0 : max * node.max];
    }
  }
}

/** What is wrong with a pattern, in the words of java.util.regex. */
export class RegexSyntaxError extends Error {
  /** Where in the pattern; null until the parser tells. */
  index: number | null;

  constructor(description: string, index: number | null = null) {
    super(description);
    this.index = index;
  }
}
