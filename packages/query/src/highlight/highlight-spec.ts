import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { parseField } from '../parse/parse-field.js';
import { boolean, int, type OptionPlace, text, unknownField } from '../parse/options.js';
import type { ParseContext, ParsedQuery } from '../parsed-query.js';
import { parseQuery } from '../parse/parse-query.js';

/** Options of one highlighted field, defaults filled in. */
export interface HighlightOptions {
  readonly type: string;
  readonly fragmentSize: number;
  readonly numberOfFragments: number;
  readonly preTags: readonly string[];
  readonly postTags: readonly string[];
  readonly encoder: 'default' | 'html';
  readonly isScoreOrdered: boolean;
  readonly requireFieldMatch: boolean;
  readonly noMatchSize: number;
  readonly boundaryScanner: 'sentence' | 'word' | 'chars';
  readonly fragmenter: string;
  readonly highlightQuery: ParsedQuery | null;
  readonly matchedFields: readonly string[];
  readonly maxAnalyzedOffset: number | null;
}

/** One entry of `fields` in a `highlight` body: a field name or pattern, and its options. */
export interface HighlightField {
  readonly pattern: string;
  readonly options: HighlightOptions;
}

const DEFAULTS: HighlightOptions = {
  type: 'unified',
  fragmentSize: 100,
  numberOfFragments: 5,
  preTags: ['<em>'],
  postTags: ['</em>'],
  encoder: 'default',
  isScoreOrdered: false,
  requireFieldMatch: true,
  noMatchSize: 0,
  boundaryScanner: 'sentence',
  fragmenter: 'span',
  highlightQuery: null,
  matchedFields: [],
  maxAnalyzedOffset: null,
};

const STYLED = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`);

type Reader = (value: unknown, place: OptionPlace, context: ParseContext) => Partial<HighlightOptions>;

const strings = (value: unknown, place: OptionPlace): string[] =>
  (Array.isArray(value) ? value : [value]).map((item) => text(item, place));

/** Parsers of the options that both the global part and each field understand. */
const READERS: Readonly<Record<string, Reader>> = {
  type: (value, place) => ({ type: text(value, place) }),
  pre_tags: (value, place) => ({ preTags: strings(value, place) }),
  post_tags: (value, place) => ({ postTags: strings(value, place) }),
  order: (value, place) => ({ isScoreOrdered: text(value, place).toLowerCase() === 'score' }),
  highlight_filter: () => ({}),
  fragment_size: (value, place) => ({ fragmentSize: int(value, place) }),
  number_of_fragments: (value, place) => ({ numberOfFragments: int(value, place) }),
  require_field_match: (value, place) => ({ requireFieldMatch: boolean(value, place) }),
  boundary_scanner: (value, place) => ({ boundaryScanner: scanner(text(value, place)) }),
  // Options of the fast vector highlighter. Elasticsearch's unified and plain highlighters parse and ignore them, as
  // here.
  boundary_max_scan: (value, place) => (int(value, place), {}),
  boundary_chars: (value, place) => (text(value, place), {}),
  boundary_scanner_locale: (value, place) => (text(value, place), {}),
  fragmenter: (value, place) => ({ fragmenter: text(value, place) }),
  no_match_size: (value, place) => ({ noMatchSize: int(value, place) }),
  force_source: (value, place) => (boolean(value, place), {}),
  phrase_limit: (value, place) => (int(value, place), {}),
  max_analyzed_offset: (value, place) => ({ maxAnalyzedOffset: positiveOffset(int(value, place)) }),
  options: () => ({}),
  highlight_query: (value, _place, context) => ({ highlightQuery: parseQuery(value, context) }),
};

const GLOBAL: Readonly<Record<string, Reader>> = {
  ...READERS,
  tags_schema: (value, place) => tagsSchema(text(value, place)),
  encoder: (value, place) => ({ encoder: text(value, place) === 'html' ? 'html' : 'default' }),
};

const FIELD: Readonly<Record<string, Reader>> = {
  ...READERS,
  fragment_offset: (value, place) => (int(value, place), {}),
  matched_fields: (value, place) => ({ matchedFields: strings(value, place) }),
};

const ENUM = 'org.elasticsearch.search.fetch.subphase.highlight.HighlightBuilder.BoundaryScannerType';

function scanner(name: string): HighlightOptions['boundaryScanner'] {
  const lower = name.toLowerCase();
  if (lower === 'sentence' || lower === 'word' || lower === 'chars') return lower;
  throw errors.illegalArgument(`No enum constant ${ENUM}.${name.toUpperCase()}`);
}

function positiveOffset(value: number): number {
  if (value > 0) return value;
  throw errors.illegalArgument('[max_analyzed_offset] must be a positive integer');
}

function tagsSchema(name: string): Partial<HighlightOptions> {
  if (name === 'default') return { preTags: DEFAULTS.preTags, postTags: DEFAULTS.postTags };
  if (name === 'styled') return { preTags: STYLED, postTags: ['</em>'] };
  throw errors.illegalArgument(`Unknown tag schema [${name}]`);
}

function readOptions(
  type: string,
  body: JsonObject,
  readers: Readonly<Record<string, Reader>>,
  base: HighlightOptions,
  context: ParseContext,
): HighlightOptions {
  let options = base;
  for (const key of Object.keys(body)) {
    if (key === 'fields' && type === 'highlight') continue;
    if (!Object.hasOwn(readers, key)) throw unknownField(type, key, body, Object.keys(readers));
    const place = { type, container: body, key };
    options = { ...options, ...parseField(type, body, key, () => readers[key]!(body[key], place, context)) };
  }
  return options;
}

/** Parses a `highlight` body. Throws x_content_parse_exception for unknown options. */
export function parseHighlight(body: unknown, container: object, context: ParseContext): HighlightField[] {
  if (!isPlainObject(body))
    throw errors.parsing(`Unknown key for a ${tokenOf(body)} in [highlight].`, {
      location: { container, key: 'highlight' },
    });
  const global = readOptions('highlight', body, GLOBAL, DEFAULTS, context);
  if (body['pre_tags'] !== undefined && body['post_tags'] === undefined)
    throw errors.parse('pre_tags are set but post_tags are not set');
  const entries = parseField('highlight', body, 'fields', () => fieldEntries(body['fields'], body));
  return parseField('highlight', body, 'fields', () =>
    entries.map(([pattern, value, holder]) => ({
      pattern,
      options: parseField('fields', holder, pattern, () => fieldOptions(value, holder, pattern, global, context)),
    })),
  );
}

function fieldOptions(
  value: unknown,
  holder: object,
  pattern: string,
  global: HighlightOptions,
  context: ParseContext,
): HighlightOptions {
  if (!isPlainObject(value))
    throw errors.xContentParse(`[highlight_field] Expected START_OBJECT but was: ${tokenOf(value)}`, {
      location: { container: holder, key: pattern },
    });
  return readOptions('highlight_field', value, FIELD, global, context);
}

type FieldEntry = readonly [pattern: string, value: unknown, holder: JsonObject];

function fieldEntries(fields: unknown, body: JsonObject): FieldEntry[] {
  if (fields === undefined) return [];
  if (isPlainObject(fields)) return Object.keys(fields).map((key) => [key, fields[key], fields]);
  if (Array.isArray(fields)) return fields.map((entry, i) => singleField(entry, fields, i));
  throw errors.xContentParse(`[highlight] fields doesn't support values of type: ${tokenOf(fields)}`, {
    location: { container: body, key: 'fields' },
  });
}

function singleField(entry: unknown, container: object, index: number): FieldEntry {
  const keys = isPlainObject(entry) ? Object.keys(entry) : [];
  if (isPlainObject(entry) && keys.length === 1) return [keys[0]!, entry[keys[0]!], entry];
  throw errors.xContentParse(
    '[fields] can be a single object with any number of fields or an array where each entry is an object with a ' +
      'single field',
    { location: { container, key: index } },
  );
}
