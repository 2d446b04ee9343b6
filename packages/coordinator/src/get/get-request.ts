import type { VersionType } from '../bulk/write-request.js';

/** The `_source` parameters of a get: true (all), false (none), or patterns. */
export type SourceSelection = boolean | { readonly includes: readonly string[]; readonly excludes: readonly string[] };

/** Options of a get that single documents and items of multi-get share. */
export interface GetOptions {
  readonly routing: string | null;
  readonly source: SourceSelection;
  readonly storedFields: readonly string[] | null;
  readonly version: number | null;
  readonly versionType: VersionType;
}

/** A request for one document. */
export interface GetDocumentRequest extends GetOptions {
  readonly index: string;
  readonly id: string;
  readonly realtime: boolean;
  readonly refresh: boolean;
  readonly preference: string | null;
  /** Whether only the source is returned (`_source/{id}`). */
  readonly bareSource: boolean;
}

/** A request of `_mget`. */
export interface MultiGetRequest {
  /** Index of the path; the default of items. */
  readonly index: string | null;
  /** The parsed body. */
  readonly body: unknown;
  readonly realtime: boolean;
  readonly refresh: boolean;
  readonly preference: string | null;
  readonly defaults: GetOptions;
}
