import { withCapabilities } from '../field-capabilities.js';
import { ignoreAbove, javaText, meta, nullValueParameter } from '../parameter.js';
import { type FieldTypeDefinition, termsLayout } from './definition.js';
import { keywordField } from './keyword.js';

/** `wildcard`: indexed as a keyword; patterns run over its dictionary. */
export const wildcard: FieldTypeDefinition = {
  name: 'wildcard',
  capabilities: withCapabilities({ isHighlighted: true, hasPatterns: true }),
  parameters: [ignoreAbove, nullValueParameter((value) => javaText(value)), meta],
  create: (config) =>
    keywordField(config, {
      layout: termsLayout(config.name, true, true),
      ignoreAbove: config.number('ignore_above'),
      nullValue: config.maybeText('null_value'),
      normalize: (value) => value,
    }),
};
