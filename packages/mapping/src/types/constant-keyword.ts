import { withCapabilities } from '../field-capabilities.js';
import { errors } from '@shoal/errors';
import type { FieldType } from '../field-type.js';
import { javaText, meta, parameter } from '../parameter.js';
import { type FieldConfig, type FieldTypeDefinition, termsLayout } from './definition.js';
import { keywordField } from './keyword.js';

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const layout = termsLayout(name, true, true);
  const constant = config.maybeText('value');
  return {
    ...keywordField(config, { layout, ignoreAbove: 2147483647, nullValue: null, normalize: (value) => value }),
    parse(value, sink) {
      const text = value === null ? null : sink.textOf(value);
      if (text === null || text === constant) return;
      if (constant === null) {
        sink.proposeField(name, { type: 'constant_keyword', value: text });
        return;
      }
      throw errors.illegalArgument(
        `[constant_keyword] field [${name}] only accepts values that are equal to the value defined in the ` +
          `mappings [${constant}], but got [${text}]`,
      );
    },
    addConstant(sink) {
      if (constant !== null && layout !== null) sink.addTerm(layout, constant);
    },
    fetchValue: () => constant ?? undefined,
  };
}

/** `constant_keyword`: one value for all documents, set by the mapping or by the first document. */
export const constantKeyword: FieldTypeDefinition = {
  name: 'constant_keyword',
  capabilities: withCapabilities({ isHighlighted: true, hasPatterns: true }),
  parameters: [
    parameter('value', null, (value) => javaText(value), { acceptsNull: true, updates: (from) => from === null }),
    meta,
  ],
  create,
};
