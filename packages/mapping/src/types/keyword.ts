import { withCapabilities } from '../field-capabilities.js';
import { errors } from '@shoal/errors';
import type { FieldLayout } from '@shoal/segments';
import { compareTerms } from '@shoal/codec';
import type { DocumentSink, FieldType, RangeBounds, ValueFormat, ValueQuery } from '../field-type.js';
import {
  booleanParameter,
  choiceParameter,
  docValues,
  eagerGlobalOrdinals,
  ignoreAbove,
  index,
  javaText,
  meta,
  nullValueParameter,
  onScriptError,
  parameter,
  type Parameter,
  type ParameterContext,
  script,
  similarity,
  store,
  timeSeriesDimension,
} from '../parameter.js';
import {
  checkIndexed,
  checkSearchable,
  type FieldConfig,
  fieldType,
  type FieldTypeDefinition,
  PLAIN_FORMAT,
  refuseFormat,
  termsLayout,
} from './definition.js';

const TERM_BYTES_MAX = 32766;
/** Shorter texts always fit: UTF-8 has at most three bytes for a UTF-16 unit. */
const CERTAIN_LENGTH = Math.floor(TERM_BYTES_MAX / 3);
const PREFIX_BYTES = 30;

/** Whether a term has more than 32,766 bytes, which a term dictionary cannot hold. */
export const isImmense = (term: string): boolean =>
  term.length > CERTAIN_LENGTH && Buffer.byteLength(term, 'utf8') > TERM_BYTES_MAX;

/** Throws for an immense term. */
export function checkTermLength(field: string, term: string): void {
  if (!isImmense(term)) return;
  const bytes = Buffer.from(term, 'utf8');
  const prefix = [...bytes.subarray(0, PREFIX_BYTES)].map((byte) => (byte > 127 ? byte - 256 : byte)).join(', ');
  const original = `bytes can be at most ${TERM_BYTES_MAX} in length; got ${bytes.length}`;
  throw errors.illegalArgument(
    `Document contains at least one immense term in field="${field}" (whose UTF8 encoding is longer than the max ` +
      `length ${TERM_BYTES_MAX}), ` +
      'all of which were skipped. Please correct the analyzer to not produce such terms. The prefix of the first ' +
      'immense term is: ' +
      `'[${prefix}]...'`,
    { cause: errors.maxBytesLengthExceeded(original) },
  );
}

/** The term of a bound or an exact value. */
function termOf(value: unknown): string {
  return typeof value === 'string' ? value : javaText(value);
}

/** A range of terms in code point order. */
export function termRange(bounds: RangeBounds, read: (value: unknown) => string): ValueQuery {
  const lowValue = bounds.gte ?? bounds.gt ?? null;
  const highValue = bounds.lte ?? bounds.lt ?? null;
  const low = lowValue === null ? null : read(lowValue);
  const high = highValue === null ? null : read(highValue);
  const includeLow = (bounds.gt ?? null) === null;
  const includeHigh = (bounds.lt ?? null) === null;
  const query: ValueQuery = { kind: 'terms', low, high, includeLow, includeHigh };
  if (low === null || high === null) return query;
  const order = compareTerms(low, high);
  const isReversed = order > 0 || (order === 0 && !(includeLow && includeHigh));
  return isReversed ? { kind: 'none', reversed: query } : query;
}

/** Properties of a keyword-like field. */
export interface KeywordBehaviour {
  readonly layout: FieldLayout | null;
  /** Longer texts, in UTF-16 units, are not indexed. */
  readonly ignoreAbove: number;
  readonly nullValue: string | null;
  /** Whether queries need posting lists, and do not look into the column instead. */
  readonly searchesOnlyPostings?: boolean;
  normalize(value: string): string;
}

/** Creates a keyword-like field: a whole text is one term. */
export function keywordField(config: FieldConfig, behaviour: KeywordBehaviour): FieldType {
  const { layout, nullValue, normalize } = behaviour;
  const { name } = config;
  const read = (value: unknown): string => normalize(termOf(value));
  const isIndexed = (layout?.terms ?? null) !== null;
  const requireSearchable = (): void =>
    behaviour.searchesOnlyPostings ? checkIndexed(name, isIndexed) : checkSearchable(name, layout);
  const parse = (value: unknown, sink: DocumentSink): void => {
    const text = value === null ? nullValue : typeof value === 'string' ? value : sink.textOf(value);
    if (text === null) return;
    if (text.length > behaviour.ignoreAbove) {
      sink.ignore(name);
      return;
    }
    const term = normalize(text);
    if (layout === null) return;
    checkTermLength(name, term);
    sink.addTerm(layout, term);
  };
  return fieldType(config, {
    layout,
    valueKind: 'keyword',
    isSearchable: behaviour.searchesOnlyPostings ? isIndexed : layout !== null,
    requireSearchable,
    normalize,
    parse,
    termQuery(value) {
      requireSearchable();
      return { kind: 'term', term: read(value) };
    },
    rangeQuery(bounds) {
      requireSearchable();
      return termRange(bounds, read);
    },
    format(format, timeZone): ValueFormat {
      refuseFormat(config, format, timeZone);
      return PLAIN_FORMAT;
    },
    fetchValue: (value) => (termOf(value).length > behaviour.ignoreAbove ? undefined : read(value)),
  });
}

function parseNormalizer(value: unknown, { field, options }: ParameterContext): unknown {
  if (value === null) return null;
  const name = javaText(value);
  if (name !== 'default' && options.analysis.normalizer(name) === null) {
    throw errors.mapperParsing(`normalizer [${name}] not found for field [${field}]`);
  }
  return name;
}

function create(config: FieldConfig): FieldType {
  const normalizerName = config.maybeText('normalizer');
  const normalizer = normalizerName === null ? null : config.options.analysis.normalizer(normalizerName);
  const analyzer = config.options.analysis.analyzer('keyword');
  const field = keywordField(config, {
    layout: termsLayout(config.name, config.boolean('index'), config.boolean('doc_values'), {
      norms: config.boolean('norms'),
      freqs: config.text('index_options') === 'freqs',
    }),
    ignoreAbove: config.number('ignore_above'),
    nullValue: config.maybeText('null_value'),
    normalize: normalizer ? (value) => normalizer.normalize(value) : (value) => value,
  });
  const search = config.boolean('split_queries_on_whitespace')
    ? config.options.analysis.analyzer('whitespace')
    : (normalizer ?? analyzer);
  return {
    ...field,
    indexAnalyzer: normalizer ?? analyzer,
    searchAnalyzer: search,
    searchQuoteAnalyzer: normalizer ?? analyzer,
  };
}

const parameters: readonly Parameter[] = [
  index,
  docValues,
  store,
  nullValueParameter((value) => javaText(value)),
  eagerGlobalOrdinals,
  ignoreAbove,
  choiceParameter('index_options', 'docs', ['docs', 'freqs']),
  booleanParameter('norms', false, { updates: (from, to) => from === to || (from === true && to === false) }),
  similarity,
  parameter('normalizer', null, parseNormalizer, { acceptsNull: true }),
  booleanParameter('split_queries_on_whitespace', false, { updates: true }),
  script,
  onScriptError,
  meta,
  timeSeriesDimension,
];

/** `keyword`: a whole text is one term. */
export const keyword: FieldTypeDefinition = {
  name: 'keyword',
  capabilities: withCapabilities({
    countsWholeValues: true,
    isHighlighted: true,
    hasPatterns: true,
    hasExpensiveRanges: true,
  }),
  parameters,
  create,
};
