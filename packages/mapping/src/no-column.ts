import { type ApiError, errors } from '@shoal/errors';
import type { FieldType } from './field-type.js';

/** Returns the error of a field of vectors whose values are asked for by document. */
export const noVectorColumn = (name: string, typeName: string): ApiError =>
  errors.illegalArgument(`Field [${name}] of type [${typeName}] doesn't support docvalue_fields or aggregations`);

/**
 * Returns the error of a field of `index` that has no values by document. Texts could uninvert their index, others
 * could not.
 */
export function noColumnError({ name, typeName, capabilities, runtime }: FieldType, index: string): ApiError {
  if (capabilities.completes || runtime?.lookup !== undefined)
    return errors.illegalArgument(`Fielddata is not supported on field [${name}] of type [${typeName}]`);
  if (capabilities.vectors === 'dense') return noVectorColumn(name, typeName);
  if (capabilities.vectors === 'sparse')
    return errors.illegalArgument(`[${typeName}] fields do not support sorting, scripting or aggregating`);
  if (!capabilities.couldUninvert)
    return errors.illegalArgument(
      `Can't load fielddata on [${name}] because fielddata is unsupported on fields of type [${typeName}]. ` +
        'Use doc values instead.',
    );
  return errors.illegalArgument(
    `Fielddata is disabled on [${name}] in [${index}]. Text fields are not optimised for operations that require ` +
      'per-document field data like aggregations and sorting, so these operations are disabled by default. Please ' +
      `use a keyword field instead. Alternatively, set fielddata=true on [${name}] in order to load field data by ` +
      'uninverting the inverted index. Note that this can use significant memory.',
  );
}
