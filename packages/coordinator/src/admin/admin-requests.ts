import type { SourceSelection } from '../get/get-request.js';

export interface ExplainRequest {
  readonly index: string;
  readonly id: string;
  readonly routing: string | null;
  /** Body with `query`; empty when the query came as parameter. */
  readonly body: Uint8Array;
  readonly queryParameter: unknown;
  readonly preference: string | null;
  /** Null: the document is not shown. */
  readonly source: SourceSelection | null;
  readonly storedFields: readonly string[] | null;
}

/** Which fields `_field_caps` shows. */
export interface FieldCapsRequest {
  readonly fields: readonly string[];
  readonly includeUnmapped: boolean;
  /** `+metadata`, `-metadata`, `-parent`, `-nested`, `-multifield`. */
  readonly filters: readonly string[];
  /** Empty: all types. */
  readonly types: readonly string[];
}

/** A document, stored or given, whose terms are wanted. */
export interface TermVectorsRequest {
  readonly index: string;
  /** Null with `doc`. */
  readonly id: string | null;
  readonly doc: unknown;
  readonly routing: string | null;
  readonly preference: string | null;
  readonly realtime: boolean;
  /** Null: the fields whose mapping keeps term vectors. */
  readonly fields: readonly string[] | null;
  readonly positions: boolean;
  readonly offsets: boolean;
  readonly termStatistics: boolean;
  readonly fieldStatistics: boolean;
}

export interface ValidateOptions {
  readonly explain: boolean;
  readonly rewrite: boolean;
  readonly allShards: boolean;
}
