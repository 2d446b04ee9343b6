import { NO_CAPABILITIES } from '../field-capabilities.js';
import type { FieldType } from '../field-type.js';
import type { MappingOptions } from '../mapping-api.js';
import type { FieldConfig } from '../types/definition.js';
import { seriesRole } from '../time-series/dimensions.js';
import type { FieldNode } from './node.js';
import { fieldJson } from './render-tree.js';

function defaultOf(node: FieldNode, parameter: string, options: MappingOptions): unknown {
  if (parameter === 'ignore_malformed') return options.ignoreMalformed;
  if (parameter === 'coerce') return options.coerce;
  return node.definition.parameters.find(({ name }) => name === parameter)?.byDefault ?? null;
}

/** The parameters of a field, including defaults. */
export function fieldConfig(node: FieldNode, options: MappingOptions): FieldConfig {
  const value = (parameter: string): unknown =>
    node.values.has(parameter) ? node.values.get(parameter) : defaultOf(node, parameter, options);
  return {
    name: node.path,
    typeName: node.definition.name,
    options,
    capabilities: node.definition.capabilities ?? NO_CAPABILITIES,
    isSet: (parameter) => node.values.has(parameter),
    value,
    boolean: (parameter) => value(parameter) === true,
    number: (parameter) => Number(value(parameter)),
    given: () => fieldJson(node, false),
    text: (parameter) => String(value(parameter)),
    maybeText: (parameter) => {
      const found = value(parameter);
      return found === null || found === undefined ? null : String(found);
    },
  };
}

/** The field type of a definition, and those of its hidden subfields. */
export interface CreatedField {
  readonly field: FieldType;
  readonly subfields: readonly FieldType[];
}

/** Creates the field type of a definition. Throws for contradicting parameters. */
export function createField(node: FieldNode, options: MappingOptions): CreatedField {
  const config = fieldConfig(node, options);
  const field = {
    ...node.definition.create(config),
    ...seriesRole(config),
    toJson: (includeDefaults: boolean) => fieldJson(node, includeDefaults),
  };
  return { field, subfields: node.definition.subfields?.(config) ?? [] };
}
