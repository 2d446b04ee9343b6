import type { MappingOptions } from '../mapping-api.js';
import { javaText } from '../parameter.js';
import { fieldTypes } from '../types/catalogue.js';
import type { FieldNode } from './node.js';
import { parseField } from './parse-field.js';

/** Types of runtime fields for which a field type of the same name is indexed instead. */
const INDEXED_TYPES = new Set(['boolean', 'date', 'double', 'geo_point', 'ip', 'keyword', 'long']);

/**
 * Definition of the field that indexes what a runtime field would read from the source; null for other runtime types.
 */
export function runtimeNode(
  path: string,
  definition: Readonly<Record<string, unknown>>,
  options: MappingOptions,
): FieldNode | null {
  const type = javaText(definition['type']);
  if (!INDEXED_TYPES.has(type) || !fieldTypes.has(type)) return null;
  const name = path.split('.').at(-1) ?? path;
  const format = definition['format'] === undefined ? {} : { format: definition['format'] };
  return parseField(name, path, type, format, options);
}
