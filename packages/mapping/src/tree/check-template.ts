import { errors, isApiError } from '@shoal/errors';
import { stringify } from '@shoal/json';
import type { MappingOptions } from '../mapping-api.js';
import { fieldTypes } from '../types/catalogue.js';
import { type DynamicTemplate, MATCH_TYPES, templateMapping } from './dynamic-template.js';
import { parseField } from './parse-field.js';

/** Whether a template contains `{name}`, which can become any text; such a template is checked when it is used. */
function hasPlaceholder(template: DynamicTemplate): boolean {
  return stringify(template.mapping).includes('{name}');
}

function tryType(template: DynamicTemplate, type: (typeof MATCH_TYPES)[number], options: MappingOptions): void {
  const mapping = templateMapping(template, `__dynamic__${template.name}`, type);
  const typeName = String(mapping['type']);
  if (typeName === 'object' || typeName === 'nested' || typeName === 'alias') return;
  if (template.isRuntime) {
    if (!fieldTypes.has(typeName)) throw errors.illegalArgument(`No runtime field found for type [${typeName}]`);
    return;
  }
  if (!fieldTypes.has(typeName)) throw errors.illegalArgument(`No mapper found for type [${typeName}]`);
  try {
    parseField(`__dynamic__${template.name}`, `__dynamic__${template.name}`, typeName, mapping, options);
  } catch (error) {
    if (!isApiError(error) || template.mapping['type'] !== undefined) throw error;
    throw errors.mapperParsing((error.reason ?? '').replace(`of type [${typeName}]`, 'of type [null]'));
  }
}

/** Throws if a template's mapping is invalid for all types of values that the template matches. */
export function checkTemplate(template: DynamicTemplate, options: MappingOptions): void {
  if (hasPlaceholder(template)) return;
  const types = template.matchType === null ? MATCH_TYPES : [template.matchType];
  let fault: unknown = null;
  for (const type of types) {
    try {
      tryType(template, type, options);
      return;
    } catch (error) {
      fault = error;
    }
  }
  const reason =
    `dynamic template [${template.name}] has invalid content [${stringify(template.json)}], ` +
    `attempted to validate it with the following match_mapping_type: [${types.join(', ')}]`;
  throw errors.illegalArgument(reason, isApiError(fault) ? { cause: fault } : {});
}
