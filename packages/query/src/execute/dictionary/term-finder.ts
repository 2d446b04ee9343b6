import type { Searcher, SegmentView } from '../../searcher.js';
import type { FieldDictionary } from './searchable-terms.js';

/** Finds terms of segments; made once a request so that the automaton is shared. */
export interface TermFinder {
  /** Ordinals of matching terms, in term order for sealed segments. */
  find(searcher: Searcher, segment: SegmentView, field: string, terms: FieldDictionary): Int32Array;
  matches(term: string): boolean;
}
