import { errors, isApiError } from '@shoal/errors';
import { stringify } from '@shoal/json';
import type { MappingOptions } from '../mapping-api.js';
import { isRuntimeType, parseRuntimeMappings } from '../runtime/runtime-definition.js';
import { fieldTypes } from '../types/catalogue.js';
import { type DynamicTemplate, MATCH_TYPES, type MatchType, templateMapping } from './dynamic-template.js';
import { parseField } from './parse-field.js';

/** Whether a template contains `{name}`, which can become any text; such a template is checked when it is used. */
function hasPlaceholder(template: DynamicTemplate): boolean {
  return stringify(template.mapping).includes('{name}');
}

function tryType(template: DynamicTemplate, type: (typeof MATCH_TYPES)[number], options: MappingOptions): void {
  const mapping = templateMapping(template, `__dynamic__${template.name}`, type);
  const typeName = String(mapping['type']);
  if (template.isRuntime) return tryRuntime(template, typeName, mapping);
  if (typeName === 'object' || typeName === 'nested' || typeName === 'alias') return;
  if (!fieldTypes.has(typeName)) throw errors.illegalArgument(`No mapper found for type [${typeName}]`);
  try {
    parseField(`__dynamic__${template.name}`, `__dynamic__${template.name}`, typeName, mapping, options);
  } catch (error) {
    if (!isApiError(error) || template.mapping['type'] !== undefined) throw error;
    throw errors.mapperParsing((error.reason ?? '').replace(`of type [${typeName}]`, 'of type [null]'));
  }
}

function tryRuntime({ name }: DynamicTemplate, type: string, definition: Readonly<Record<string, unknown>>): void {
  if (!isRuntimeType(type)) throw errors.illegalArgument(`No runtime field found for type [${type}]`);
  parseRuntimeMappings({ [`__dynamic__${name}`]: definition });
}

/** Types of values that may become runtime fields. */
const RUNTIME_MATCH_TYPES: readonly MatchType[] = MATCH_TYPES.filter((type) => type !== 'object' && type !== 'binary');

/** Throws if a template's mapping is invalid for all types of values that the template matches. */
export function checkTemplate(template: DynamicTemplate, options: MappingOptions): void {
  const { name, isRuntime, matchType } = template;
  if (isRuntime && matchType !== null && !RUNTIME_MATCH_TYPES.includes(matchType))
    throw errors.mapperParsing(
      `Dynamic template [${name}] defines a runtime field but type [${matchType}] is not supported as runtime field`,
    );
  if (hasPlaceholder(template)) return;
  const all = isRuntime ? RUNTIME_MATCH_TYPES : MATCH_TYPES;
  const types = matchType === null ? all : [matchType];
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
