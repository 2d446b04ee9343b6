import { type ApiError, errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { asCompiled, type CompiledMapping, compileMapping } from './compile.js';
import type { Mapping, MappingOptions } from './mapping-api.js';
import type { MappingTree } from './tree/node.js';
import { type MergeReason, mergeTrees } from './tree/merge-tree.js';
import { parseTree } from './tree/parse-tree.js';

function parseFailure(error: ApiError): ApiError {
  return errors.mapperParsing(`Failed to parse mapping: ${error.reason ?? ''}`, { cause: error });
}

/** Parses a definition into a tree; wraps errors as Elasticsearch does. */
function readTree(json: unknown, options: MappingOptions): MappingTree {
  try {
    return parseTree(isPlainObject(json) ? json : {}, options);
  } catch (error) {
    throw isApiError(error) ? parseFailure(error) : error;
  }
}

/**
 * Parses the mapping of a new index (`{"properties": …}`, not wrapped in a type name). Field types are created at once,
 * so that contradicting parameters are found. Throws mapper_parsing or illegal_argument.
 */
export function parseMapping(json: unknown, options: MappingOptions): Mapping {
  if (isPlainObject(json) && isPlainObject(json['_doc']) && Object.keys(json).length === 1) {
    throw errors.illegalArgument(
      'The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.',
    );
  }
  return build(readTree(json, options), options);
}

/** Compiles a tree. Contradicting parameters of a field are reported as a fault of the definition. */
function build(tree: MappingTree, options: MappingOptions, known?: CompiledMapping['made']): Mapping {
  try {
    return compileMapping(tree, options, known);
  } catch (error) {
    if (isApiError(error) && isFieldFault(error)) throw parseFailure(error);
    throw error;
  }
}

const TREE_FAULTS = [
  'All fields that match routing_path',
  'cannot have nested fields when index is in',
  'data stream timestamp field',
  'time_series_dimension can',
  'Limit of ',
  'Invalid [path]',
  '[copy_to]',
  'Cannot copy to',
  'Field name [',
  'Field [_',
  'field [',
];

function isFieldFault(error: ApiError): boolean {
  return !TREE_FAULTS.some((start) => error.reason?.startsWith(start));
}

/**
 * Merges an update into a mapping; returns the new mapping. `template` joins definitions of templates, in which later
 * ones replace earlier ones; `dynamic` adds the new fields of documents. Throws illegal_argument for conflicts.
 */
export function mergeMappings(
  current: Mapping,
  update: unknown,
  options: MappingOptions,
  reason: MergeReason,
): Mapping {
  if (isPlainObject(update) && '_doc' in update && reason === 'update') {
    throw errors.illegalArgument('Types cannot be provided in put mapping requests');
  }
  const before = asCompiled(current);
  const known = before.options === options ? before.made : undefined;
  return build(mergeTrees(before.tree, readTree(update, options), reason), options, known);
}
