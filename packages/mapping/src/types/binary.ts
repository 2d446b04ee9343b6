import { errors } from '@shoal/errors';
import { tokenFault, tokenName } from '../document-fault.js';
import type { FieldType } from '../field-type.js';
import { withCapabilities } from '../field-capabilities.js';
import { booleanParameter, javaText, meta, store } from '../parameter.js';
import { decodeBase64 } from './base64.js';
import { type FieldConfig, fieldType, type FieldTypeDefinition, PLAIN_FORMAT, refuseRange } from './definition.js';

const BINARY_TOKENS = 'VALUE_STRING or VALUE_EMBEDDED_OBJECT';

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const isRead = config.boolean('doc_values') || config.boolean('store');
  const layout = config.boolean('doc_values')
    ? ({ name, terms: null, column: 'binary', points: false } as const)
    : null;
  return fieldType(config, {
    layout,
    valueKind: 'none',
    isSearchable: false,
    parse(value, sink) {
      if (value === null || (!isRead && typeof value !== 'object')) return;
      if (typeof value !== 'string')
        throw tokenFault(
          'jsonParse',
          `Current token (${tokenName(value)}) not ${BINARY_TOKENS}, can not access as binary`,
        );
      const bytes = decodeBase64(value);
      if (layout !== null) sink.addBinary(layout, bytes);
    },
    termQuery() {
      throw errors.illegalArgument('Binary fields do not support searching');
    },
    rangeQuery: () => refuseRange(config),
    format: () => PLAIN_FORMAT,
    fetchValue: (value) => javaText(value),
  });
}

/** `binary`: base64 text, not searchable. */
export const binary: FieldTypeDefinition = {
  name: 'binary',
  capabilities: withCapabilities({ refusesMatch: true }),
  parameters: [meta, store, booleanParameter('doc_values', false)],
  create,
};
