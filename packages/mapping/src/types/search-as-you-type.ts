import { withCapabilities } from '../field-capabilities.js';
import { type Analyzer, prefixAnalyzer, shingleAnalyzer } from '@shoal/analysis';
import { errors } from '@shoal/errors';
import type { FieldLayout } from '@shoal/segments';
import type { FieldType } from '../field-type.js';
import { index, meta, parameter, type Parameter, parseInteger, similarity, store } from '../parameter.js';
import type { FieldConfig, FieldTypeDefinition } from './definition.js';
import {
  analyzerParameter,
  indexOptions,
  searchAnalyzerParameter,
  searchQuoteAnalyzerParameter,
  type TextAnalyzers,
  textAnalyzers,
  textField,
  termVector,
  textNorms,
} from './text.js';

const SHINGLE_MIN = 2;
const SHINGLE_MAX = 4;
const PREFIX_CHARS_MAX = 20;

const maxShingleSize: Parameter = parameter('max_shingle_size', 3, (value) => {
  const size = parseInteger(value);
  if (size >= SHINGLE_MIN && size <= SHINGLE_MAX) return size;
  throw errors.mapperParsing(
    `[max_shingle_size] must be at least [${SHINGLE_MIN}] and at most [${SHINGLE_MAX}], got [${size}]`,
  );
});

function layoutOf(config: FieldConfig, suffix: string): FieldLayout | null {
  if (!config.boolean('index')) return null;
  const options = config.text('index_options');
  const positions = options === 'positions' || options === 'offsets';
  return {
    name: `${config.name}${suffix}`,
    terms: { freqs: options !== 'docs', positions, norms: config.boolean('norms') && suffix !== '._index_prefix' },
    column: null,
    points: false,
  };
}

function textPart(config: FieldConfig, suffix: string, analyzers: TextAnalyzers): FieldType {
  const part = { ...config, name: `${config.name}${suffix}` };
  return textField(part, {
    layout: layoutOf(config, suffix),
    analyzers,
    gap: analyzers.index.positionIncrementGap,
    isAggregatable: false,
  });
}

function mapAnalyzers(
  { index: indexing, search, quote }: TextAnalyzers,
  change: (analyzer: Analyzer) => Analyzer,
): TextAnalyzers {
  return { index: change(indexing), search: change(search), quote: change(quote) };
}

function subfields(config: FieldConfig): readonly FieldType[] {
  const base = textAnalyzers(config);
  const largest = config.number('max_shingle_size');
  const grams = Array.from({ length: largest - 1 }, (_, i) => i + 2).map((size) =>
    textPart(
      config,
      `._${size}gram`,
      mapAnalyzers(base, (analyzer) => shingleAnalyzer(analyzer, size)),
    ),
  );
  const prefixes = { ...base, index: prefixAnalyzer(base.index, largest, 1, PREFIX_CHARS_MAX) };
  return [...grams, textPart(config, '._index_prefix', prefixes)];
}

/** `search_as_you_type`: text with subfields of shingles and of their prefixes. */
export const searchAsYouType: FieldTypeDefinition = {
  name: 'search_as_you_type',
  capabilities: withCapabilities({ holdsText: true, isHighlighted: true, hasPatterns: true }),
  parameters: [
    maxShingleSize,
    analyzerParameter,
    searchAnalyzerParameter,
    searchQuoteAnalyzerParameter,
    index,
    store,
    indexOptions,
    textNorms,
    similarity,
    termVector,
    meta,
  ],
  create: (config) => textPart(config, '', textAnalyzers(config)),
  subfields,
};
