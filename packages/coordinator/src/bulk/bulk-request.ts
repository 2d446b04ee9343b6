import type { WriteOptions } from './write-request.js';

/** A `_bulk` call. */
export interface BulkRequest extends WriteOptions {
  /** Newline-delimited actions and sources, not parsed. */
  readonly body: Uint8Array;
  /** Index of the path; the default of items. */
  readonly index: string | null;
  readonly routing: string | null;
  readonly pipeline: string | null;
  readonly requireAlias: boolean | null;
  /** `_source` parameters; the default of updates. */
  readonly updateSource: unknown;
  /** Whether items list the pipelines that ran. */
  readonly listsPipelines: boolean;
  /** Whether `_type` is accepted and ignored (compatible-with=7). */
  readonly allowType: boolean;
}
