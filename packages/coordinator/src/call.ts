/** What all calls carry besides their request. */
export interface CallContext {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly opaqueId: string | null;
  /** Adds `_type: "_doc"` to answers (compatible-with=7). */
  readonly withType: boolean;
}

/** An answer as JSON in UTF-8, in pieces to be written one after another. */
export interface JsonAnswer {
  readonly status: number;
  readonly chunks: readonly Uint8Array[];
}
