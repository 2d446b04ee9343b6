import type { VersionType } from '../bulk/write-request.js';

/** `_source` parameters of a get: everything, nothing, or patterns. */
export type SourceSelection = boolean | { readonly includes: readonly string[]; readonly excludes: readonly string[] };

export interface GetOptions {
  readonly routing: string | null;
  readonly source: SourceSelection;
  readonly storedFields: readonly string[] | null;
  readonly version: number | null;
  readonly versionType: VersionType;
}

export interface GetDocumentRequest extends GetOptions {
  readonly index: string;
  readonly id: string;
  readonly realtime: boolean;
  readonly refresh: boolean;
  readonly preference: string | null;
  /** `_source/{id}`: only the document's source is answered. */
  readonly bareSource: boolean;
}

export interface MultiGetRequest {
  /** Index of the path: default of items. */
  readonly index: string | null;
  /** The parsed body. */
  readonly body: unknown;
  readonly realtime: boolean;
  readonly refresh: boolean;
  readonly preference: string | null;
  readonly defaults: GetOptions;
}
