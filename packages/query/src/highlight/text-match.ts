/** A stretch of a field's text that a query matches; `term` tells apart what counts once in a fragment's score. */
export interface TextMatch {
  readonly start: number;
  readonly end: number;
  readonly term: string;
  /** Of phrases: the tokens that belong to it. */
  readonly tokens?: readonly number[];
}
