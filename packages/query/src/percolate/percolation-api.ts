import type { Explanation } from '../plans/explanation-tree.js';
import type { Searcher } from '../searcher.js';

/**
 * Documents that are nowhere stored, on which stored queries run. `P` is the type of plans, which have such documents
 * as a part. Queries are JSON.
 */
export interface Percolation<P> {
  /** A shard of the documents alone. */
  readonly documents: Searcher;
  /** Numbers of the documents in their order; nested objects have numbers of their own between them. */
  readonly roots: readonly number[];
  /** Terms of which a stored query must require one to match any of the documents. */
  readonly terms: readonly string[];
  /** Whether a stored query matches any of the documents. */
  matches(query: Uint8Array): boolean;
  /** Returns the best score of a stored query among the documents; null if it matches none. */
  score(query: Uint8Array): number | null;
  /** Returns the positions, from 0, of the documents that a stored query matches. */
  slots(query: Uint8Array): number[];
  /** Explains the score of a stored query for the first document. */
  explain(query: Uint8Array): Explanation | null;
  /**
   * Returns the plan of a stored query; null if the mapping that the caller sees does not have what it asks for. As the
   * mapping only grows, that is a field that is hidden from the caller.
   */
  plan(query: Uint8Array): P | null;
}
