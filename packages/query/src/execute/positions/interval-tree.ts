import type { SearchScript } from '../../scripts/segment-script.js';

/** A rule of an intervals query, after analysis. */
export type IntervalTree =
  | { readonly kind: 'term'; readonly field: string; readonly term: string }
  | { readonly kind: 'none' }
  /** `text` shows the pattern that the sources were expanded from. */
  | { readonly kind: 'or'; readonly sources: readonly IntervalTree[]; readonly text?: string }
  /** Each source directly behind the one before. */
  | { readonly kind: 'phrase'; readonly sources: readonly IntervalTree[] }
  | { readonly kind: 'ordered' | 'unordered'; readonly sources: readonly IntervalTree[] }
  /** `count` intervals of a source that follow one another, none of them taken twice. */
  | { readonly kind: 'repeat'; readonly source: IntervalTree; readonly count: number }
  /** A source with room for `before` tokens in front, left out by the analyser. */
  | { readonly kind: 'extend'; readonly source: IntervalTree; readonly before: number }
  | { readonly kind: 'maxGaps'; readonly source: IntervalTree; readonly gaps: number }
  /** Intervals of a source for which a script says true. */
  | { readonly kind: 'script'; readonly source: IntervalTree; readonly script: SearchScript }
  | {
      readonly kind: 'filter';
      readonly relation: IntervalRelation;
      readonly source: IntervalTree;
      readonly by: IntervalTree;
    };

/** Relation of an interval to those of a filter, by its name in the DSL. */
export type IntervalRelation =
  | 'before'
  | 'after'
  | 'contained_by'
  | 'containing'
  | 'not_contained_by'
  | 'not_containing'
  | 'not_overlapping'
  | 'overlapping';

/** Returns the length, in positions, of the shortest interval that a tree can match. */
export function minimalLength(tree: IntervalTree): number {
  switch (tree.kind) {
    case 'term':
      return 1;
    case 'none':
      return 0;
    case 'or':
      // A pattern is one term long, whether or not the segment has terms of it.
      return tree.text === undefined ? Math.min(...tree.sources.map(minimalLength)) : 1;
    case 'extend':
      return minimalLength(tree.source) + tree.before;
    case 'maxGaps':
    case 'filter':
    case 'script':
    case 'repeat':
      return minimalLength(tree.source);
    default:
      return tree.sources.reduce((sum, source) => sum + minimalLength(source), 0);
  }
}
