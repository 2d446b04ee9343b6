import { isPlainObject } from '@shoal/json';
import { withCapabilities } from '../field-capabilities.js';
import type { Analyzer } from '@shoal/analysis';
import { errors } from '@shoal/errors';
import type { FieldLayout } from '@shoal/segments';
import type { DocumentSink, FieldType } from '../field-type.js';
import {
  booleanParameter,
  choiceParameter,
  eagerGlobalOrdinals,
  index,
  javaText,
  meta,
  parameter,
  type Parameter,
  type ParameterContext,
  parseInteger,
  similarity,
  store,
} from '../parameter.js';
import {
  checkIndexed,
  type FieldConfig,
  fieldType,
  type FieldTypeDefinition,
  PLAIN_FORMAT,
  refuseFormat,
} from './definition.js';
import { termRange } from './keyword.js';

/** Parses the name of an analyzer; throws if the index does not have it. */
export function parseAnalyzer(value: unknown, { options }: ParameterContext): unknown {
  const name = javaText(value);
  if (options.analysis.analyzer(name) === null)
    throw errors.illegalArgument(`analyzer [${name}] has not been configured in mappings`);
  return name;
}

/** `analyzer`: cannot be updated; rendered if it, or a search analyzer, is set. */
export const analyzerParameter: Parameter = parameter('analyzer', 'default', parseAnalyzer);
/** `search_analyzer`: null means the index analyzer, or `default_search`. */
export const searchAnalyzerParameter: Parameter = parameter('search_analyzer', null, parseAnalyzer, { updates: true });
/** `search_quote_analyzer`: null means the search analyzer. */
export const searchQuoteAnalyzerParameter: Parameter = parameter('search_quote_analyzer', null, parseAnalyzer, {
  updates: true,
});

/** `term_vector`: stored in the definition only; highlighters analyse texts again. */
export const termVector: Parameter = choiceParameter('term_vector', 'no', [
  'no',
  'yes',
  'with_positions',
  'with_offsets',
  'with_positions_offsets',
  'with_positions_payloads',
  'with_positions_offsets_payloads',
]);

/** `norms`: an update can switch them off, but not on. */
export const textNorms: Parameter = booleanParameter('norms', true, {
  updates: (from, to) => from === to || (from === true && to === false),
});

/** `index_options` of texts. */
export const indexOptions: Parameter = choiceParameter('index_options', 'positions', [
  'positions',
  'docs',
  'freqs',
  'offsets',
]);

const DEFAULT_GAP = 100;

/** `position_increment_gap` 100. */
export const positionIncrementGap: Parameter = parameter('position_increment_gap', DEFAULT_GAP, (value) => {
  const gap = parseInteger(value);
  if (gap < 0) throw errors.mapperParsing(`[position_increment_gap] must be positive, got [${gap}]`);
  return gap;
});

function parsePrefixes(value: unknown): unknown {
  if (value === null) return null;
  const given = isPlainObject(value) ? { ...value } : {};
  const min = parseInteger(given['min_chars'] ?? 2);
  const max = parseInteger(given['max_chars'] ?? 5);
  if (min > max) throw errors.illegalArgument(`min_chars [${min}] must be less than max_chars [${max}]`);
  if (min < 1) throw errors.illegalArgument(`min_chars [${min}] must be greater than zero`);
  if (max >= 20) throw errors.illegalArgument(`max_chars [${max}] must be less than 20`);
  return { min_chars: min, max_chars: max };
}

function parseFrequencyFilter(value: unknown): unknown {
  const given = isPlainObject(value) ? value : {};
  return {
    min: Number(given['min'] ?? 0),
    max: Number(given['max'] ?? 2147483647),
    min_segment_size: parseInteger(given['min_segment_size'] ?? 0),
  };
}

/** `fielddata_frequency_filter`: stored in the definition only, without effect. */
const frequencyFilter: Parameter = parameter(
  'fielddata_frequency_filter',
  { min: 0, max: 2147483647, min_segment_size: 0 },
  parseFrequencyFilter,
  { updates: true },
);

/** The analyzers of a field of texts. */
export interface TextAnalyzers {
  readonly index: Analyzer;
  readonly search: Analyzer;
  readonly quote: Analyzer;
}

/** Resolves the parameters `analyzer`, `search_analyzer`, `search_quote_analyzer` with their fallbacks. */
export function textAnalyzers(config: FieldConfig): TextAnalyzers {
  const { analysis } = config.options;
  const named = (name: string | null): Analyzer | null => (name === null ? null : analysis.analyzer(name));
  const index = named(config.text('analyzer')) ?? analysis.defaultAnalyzer;
  const search =
    named(config.maybeText('search_analyzer')) ?? (config.isSet('analyzer') ? index : analysis.defaultSearchAnalyzer);
  const quote = named(config.maybeText('search_quote_analyzer')) ?? search;
  return { index, search, quote };
}

/** An analyzer with another position gap between values. */
function withGap(analyzer: Analyzer, gap: number): Analyzer {
  return analyzer.positionIncrementGap === gap ? analyzer : { ...analyzer, positionIncrementGap: gap };
}

/** Properties of a text field. */
export interface TextBehaviour {
  readonly layout: FieldLayout | null;
  readonly analyzers: TextAnalyzers;
  readonly gap: number;
  readonly isAggregatable: boolean;
}

/** Creates a field of analysed text. */
export function textField(config: FieldConfig, behaviour: TextBehaviour): FieldType {
  const { layout, analyzers } = behaviour;
  const { name } = config;
  const indexAnalyzer = withGap(analyzers.index, behaviour.gap);
  const countsOverlaps = config.options.countsOverlaps?.has(config.maybeText('similarity') ?? 'default') ?? false;
  const requireSearchable = (): void => checkIndexed(name, layout !== null);
  return fieldType(config, {
    layout,
    valueKind: 'keyword',
    isAggregatable: behaviour.isAggregatable,
    requireSearchable,
    indexAnalyzer,
    searchAnalyzer: analyzers.search,
    searchQuoteAnalyzer: analyzers.quote,
    normalize: (value) => analyzers.search.normalize(value),
    parse(value: unknown, sink: DocumentSink) {
      if (value === null) return;
      const text = typeof value === 'string' ? value : sink.textOf(value);
      if (layout !== null) sink.addText(layout, indexAnalyzer, text, countsOverlaps);
    },
    termQuery(value) {
      requireSearchable();
      return { kind: 'term', term: typeof value === 'string' ? value : javaText(value) };
    },
    rangeQuery(bounds) {
      requireSearchable();
      // Bounds are terms as they are: only the query string normalizes them, by itself.
      return termRange(bounds, (value) => (typeof value === 'string' ? value : javaText(value)));
    },
    format(format, timeZone) {
      refuseFormat(config, format, timeZone);
      return PLAIN_FORMAT;
    },
    fetchValue: (value) => (typeof value === 'string' ? value : javaText(value)),
  });
}

function layoutOf(config: FieldConfig): FieldLayout | null {
  if (!config.boolean('index')) {
    if (!config.boolean('fielddata')) return null;
    throw errors.illegalArgument(`Cannot enable fielddata on a [text] field that is not indexed: [${config.name}]`);
  }
  const options = config.text('index_options');
  const positions = options === 'positions' || options === 'offsets';
  const terms = { freqs: options !== 'docs', positions, norms: config.boolean('norms') };
  return { name: config.name, terms, column: config.boolean('fielddata') ? 'ordinals' : null, points: false };
}

function create(config: FieldConfig): FieldType {
  const options = config.text('index_options');
  const isGapSet = config.isSet('position_increment_gap') && config.number('position_increment_gap') !== DEFAULT_GAP;
  if (isGapSet && options !== 'positions' && options !== 'offsets') {
    throw errors.illegalArgument(
      `Cannot set position_increment_gap on field [${config.name}] without positions enabled`,
    );
  }
  const gap = config.isSet('position_increment_gap')
    ? config.number('position_increment_gap')
    : textAnalyzers(config).index.positionIncrementGap;
  return textField(config, {
    layout: layoutOf(config),
    analyzers: textAnalyzers(config),
    gap,
    isAggregatable: config.boolean('fielddata'),
  });
}

const parameters: readonly Parameter[] = [
  index,
  store,
  meta,
  indexOptions,
  termVector,
  textNorms,
  analyzerParameter,
  searchAnalyzerParameter,
  searchQuoteAnalyzerParameter,
  similarity,
  eagerGlobalOrdinals,
  positionIncrementGap,
  booleanParameter('fielddata', false, { updates: true }),
  frequencyFilter,
  parameter('index_prefixes', null, parsePrefixes, { acceptsNull: true }),
  booleanParameter('index_phrases', false),
];

/** `text`: analysed text. */
export const text: FieldTypeDefinition = {
  name: 'text',
  capabilities: withCapabilities({
    holdsText: true,
    isHighlighted: true,
    hasPatterns: true,
    hasExpensiveRanges: true,
    couldUninvert: true,
  }),
  parameters,
  create,
};
