import type { JsonObject } from '@shoal/json';
import type { SourceSelection } from '../get/get-request.js';
import type { TermFilter } from './term-filter.js';

/** A request of `_explain`. */
export interface ExplainRequest {
  readonly index: string;
  readonly id: string;
  readonly routing: string | null;
  /** Body with `query`; empty if the query was given as a parameter. */
  readonly body: Uint8Array;
  /** The value of `body`, if it was parsed before. */
  readonly json?: unknown;
  readonly queryParameter: unknown;
  readonly preference: string | null;
  /** Part of the document to show; null for none. */
  readonly source: SourceSelection | null;
  readonly storedFields: readonly string[] | null;
}

/** Which fields `_field_caps` shows. */
export interface FieldCapsRequest {
  readonly fields: readonly string[];
  readonly includeUnmapped: boolean;
  /** Values of `filters`: `+metadata`, `-metadata`, `-parent`, `-nested`, `-multifield`. */
  readonly filters: readonly string[];
  /** Types of fields to show; empty for all. */
  readonly types: readonly string[];
  /** Definitions of runtime fields that the request adds to each index; null for none. */
  readonly runtimeMappings: JsonObject | null;
}

/** A stored document, or one in the request, whose terms are requested. */
export interface TermVectorsRequest {
  readonly index: string;
  /** Id of the document; null if the request contains the document. */
  readonly id: string | null;
  readonly doc: unknown;
  readonly routing: string | null;
  readonly preference: string | null;
  readonly realtime: boolean;
  /** Names or patterns of fields; null for all fields whose mapping stores term vectors. */
  readonly fields: readonly string[] | null;
  readonly positions: boolean;
  readonly offsets: boolean;
  readonly termStatistics: boolean;
  readonly fieldStatistics: boolean;
  /** Which terms are shown, with their scores; null for all, without. */
  readonly filter: TermFilter | null;
  /** Names of analyzers of the index by field, in place of those of the mapping; null for none. */
  readonly analyzers: Readonly<Record<string, string>> | null;
}

/** Options of `_validate/query`. */
export interface ValidateOptions {
  readonly explain: boolean;
  readonly rewrite: boolean;
  readonly allShards: boolean;
}
