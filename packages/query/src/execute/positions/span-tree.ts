/** A span query over one field, after mapping and expansion of patterns. */
export type SpanTree =
  | { readonly kind: 'term'; readonly term: string }
  | { readonly kind: 'or'; readonly clauses: readonly SpanTree[] }
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
