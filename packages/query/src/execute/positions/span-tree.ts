import { compareTerms } from '@shoal/codec';

/** A span query over one field, after mapping and expansion of patterns. */
export type SpanTree =
  | { readonly kind: 'term'; readonly term: string }
  /** `text` shows the pattern that the clauses were expanded from. */
  | { readonly kind: 'or'; readonly clauses: readonly SpanTree[]; readonly text?: string }
  | { readonly kind: 'near'; readonly clauses: readonly SpanTree[]; readonly slop: number; readonly inOrder: boolean }
  /** Positions skipped inside an ordered `near`. */
  | { readonly kind: 'gap'; readonly width: number }
  | {
      readonly kind: 'not';
      readonly include: SpanTree;
      readonly exclude: SpanTree;
      readonly pre: number;
      readonly post: number;
    }
  | { readonly kind: 'first'; readonly match: SpanTree; readonly end: number }
  /** Spans of `big` that contain a span of `little`, or spans of `little` within one of `big`. */
  | { readonly kind: 'containing' | 'within'; readonly big: SpanTree; readonly little: SpanTree }
  /** Spans of another field, treated as spans of this field (`span_field_masking`). */
  | { readonly kind: 'field'; readonly field: string; readonly tree: SpanTree };

/** Returns the terms of a tree with their fields: the score is computed from their statistics. */
export function spanTerms(tree: SpanTree, field: string): { readonly field: string; readonly term: string }[] {
  switch (tree.kind) {
    case 'term':
      return [{ field, term: tree.term }];
    case 'or':
    case 'near':
      return tree.clauses.flatMap((clause) => spanTerms(clause, field));
    case 'gap':
      return [];
    case 'not':
      return spanTerms(tree.include, field);
    case 'first':
      return spanTerms(tree.match, field);
    case 'containing':
    case 'within':
      return [...spanTerms(tree.big, field), ...spanTerms(tree.little, field)];
    case 'field':
      return spanTerms(tree.tree, tree.field);
  }
}

/** Returns the terms of a tree, each once, in the order in which Lucene sums up what it knows of them. */
export function distinctTerms(tree: SpanTree, field: string): { readonly field: string; readonly term: string }[] {
  const terms = new Map(spanTerms(tree, field).map((one) => [`${one.field}\0${one.term}`, one]));
  return [...terms.values()].sort((a, b) => compareTerms(a.field, b.field) || compareTerms(a.term, b.term));
}

/** Returns a tree as Lucene's span queries print themselves; a pattern by its terms, or itself if `showsPatterns`. */
export function spanText(tree: SpanTree, field: string, showsPatterns: boolean): string {
  const inner = (child: SpanTree): string => spanText(child, field, showsPatterns);
  const list = (clauses: readonly SpanTree[]): string => `[${clauses.map(inner).join(', ')}]`;
  switch (tree.kind) {
    case 'term':
      return `${field}:${tree.term}`;
    case 'or':
      if (tree.text !== undefined && showsPatterns) return `SpanMultiTermQueryWrapper(${field}:${tree.text})`;
      return tree.text !== undefined && tree.clauses.length === 1
        ? inner(tree.clauses[0]!)
        : `spanOr(${list(tree.clauses)})`;
    case 'near':
      return `spanNear(${list(tree.clauses)}, ${tree.slop}, ${tree.inOrder})`;
    case 'gap':
      return `SpanGap(:${tree.width})`;
    case 'not':
      return `spanNot(${inner(tree.include)}, ${inner(tree.exclude)}, ${tree.pre}, ${tree.post})`;
    case 'first':
      return `spanFirst(${inner(tree.match)}, ${tree.end})`;
    case 'containing':
      return `SpanContaining(${inner(tree.big)}, ${inner(tree.little)})`;
    case 'within':
      return `SpanWithin(${inner(tree.big)}, ${inner(tree.little)})`;
    case 'field':
      return `mask(${spanText(tree.tree, tree.field, showsPatterns)}) as ${field}`;
  }
}
