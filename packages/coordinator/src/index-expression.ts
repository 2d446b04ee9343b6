import type { IndicesOptions } from '@shoal/state';

/** Names of indices in a call, with its indices options. */
export interface IndexExpression {
  /** Names and patterns; empty for all indices. */
  readonly names: readonly string[];
  readonly options: IndicesOptions;
}
