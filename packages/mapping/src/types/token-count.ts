import { errors } from '@shoal/errors';
import type { FieldType } from '../field-type.js';
import {
  booleanParameter,
  docValues,
  index,
  javaText,
  meta,
  nullValueParameter,
  parameter,
  parseInteger,
  store,
} from '../parameter.js';
import { type FieldConfig, type FieldTypeDefinition, numberLayout } from './definition.js';
import { parseAnalyzer } from './text.js';
import { WHOLE_KINDS, wholeField } from './whole-numbers.js';

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const analyzerName = config.maybeText('analyzer');
  if (analyzerName === null) throw errors.mapperParsing(`Analyzer must be set for field [${name}] but wasn't.`);
  const analyzer = config.options.analysis.analyzer(analyzerName)!;
  const layout = numberLayout(name, 'long', config.boolean('index'), config.boolean('doc_values'));
  const nullValue = config.value('null_value');
  const countsGaps = config.boolean('enable_position_increments');
  return {
    ...wholeField(config, WHOLE_KINDS.integer),
    parse(value, sink) {
      if (layout === null || (value === null && nullValue === null)) return;
      if (value === null) {
        sink.addNumber(layout, Number(nullValue));
        return;
      }
      const tokens = analyzer.analyze(sink.textOf(value));
      sink.addNumber(layout, countsGaps ? tokens.endPosition : tokens.count);
    },
    fetchValue(value) {
      const tokens = analyzer.analyze(javaText(value));
      return countsGaps ? tokens.endPosition : tokens.count;
    },
  };
}

/** `token_count`: number of tokens of a text. */
export const tokenCount: FieldTypeDefinition = {
  name: 'token_count',
  parameters: [
    index,
    docValues,
    store,
    parameter('analyzer', null, parseAnalyzer, { updates: true }),
    nullValueParameter((value) => parseInteger(value)),
    booleanParameter('enable_position_increments', true),
    meta,
  ],
  create,
};
