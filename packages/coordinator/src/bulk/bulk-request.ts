import type { WriteOptions } from './write-request.js';

/** A `_bulk` call. */
export interface BulkRequest extends WriteOptions {
  /** Newline-delimited actions and sources, undecoded. */
  readonly body: Uint8Array;
  /** Index of the path: default of items. */
  readonly index: string | null;
  readonly routing: string | null;
  readonly pipeline: string | null;
  readonly requireAlias: boolean | null;
  /** `_source` parameters: default of updates. */
  readonly updateSource: unknown;
  /** Accepts and drops `_type` (compatible-with=7). */
  readonly allowType: boolean;
}
