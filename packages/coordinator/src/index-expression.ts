/** Which kinds of index a wildcard stands for. */
export interface WildcardStates {
  readonly open: boolean;
  readonly closed: boolean;
  readonly hidden: boolean;
}

/** Index names of a call with its indices options. */
export interface IndexExpression {
  /** Empty: all indices. */
  readonly names: readonly string[];
  readonly expand: WildcardStates;
  readonly allowNoIndices: boolean;
  readonly ignoreUnavailable: boolean;
}
