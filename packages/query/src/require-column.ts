import type { ApiError } from '@shoal/errors';
import { type FieldType, noColumnError } from '@shoal/mapping';
import type { Searcher } from './searcher.js';

/** Throws Elasticsearch's error of a field without doc values, where values by document are needed. */
export function requireColumn(type: FieldType, searcher: Searcher): void {
  if (type.layout?.column == null || type.capabilities.completes) throw noColumn(type, searcher);
}

/** Returns the error of a field that has no doc values. Texts could uninvert their index, others could not. */
export function noColumn(type: FieldType, { index }: Searcher): ApiError {
  return noColumnError(type, index);
}
