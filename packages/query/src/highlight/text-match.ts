/** A range of a field's text that a query matches. Matches with the same `term` count once in a fragment's score. */
export interface TextMatch {
  readonly start: number;
  readonly end: number;
  readonly term: string;
  /** Token indices of a phrase; absent for single terms. */
  readonly tokens?: readonly number[];
}
