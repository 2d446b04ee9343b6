import { type ApiError, errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import type { Searcher } from './searcher.js';

/** Throws Elasticsearch's error of a field without doc values, where values by document are needed. */
export function requireColumn(type: FieldType, searcher: Searcher): void {
  if (type.layout?.column == null || type.capabilities.completes) throw noColumn(type, searcher);
}

/** Returns the error of a field that has no doc values. Texts could uninvert their index, others could not. */
export function noColumn(type: FieldType, { index }: Searcher): ApiError {
  if (type.capabilities.completes || type.runtime?.lookup !== undefined)
    return errors.illegalArgument(`Fielddata is not supported on field [${type.name}] of type [${type.typeName}]`);
  if (!type.capabilities.couldUninvert) {
    return errors.illegalArgument(
      `Can't load fielddata on [${type.name}] because fielddata is unsupported on fields of type ` +
        `[${type.typeName}]. Use doc values instead.`,
    );
  }
  return errors.illegalArgument(
    `Fielddata is disabled on [${type.name}] in [${index}]. Text fields are not optimised for operations ` +
      'that require per-document field data like aggregations and sorting, so these operations are disabled by ' +
      'default. Please use a keyword field instead. Alternatively, set fielddata=true ' +
      `on [${type.name}] in order to load field data by uninverting the inverted index. Note that this can use ` +
      'significant memory.',
  );
}
