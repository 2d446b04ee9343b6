import type { IndicesOptions } from '@shoal/state';

/** Index names of a call with its indices options. */
export interface IndexExpression {
  /** Empty: all indices. */
  readonly names: readonly string[];
  readonly options: IndicesOptions;
}
