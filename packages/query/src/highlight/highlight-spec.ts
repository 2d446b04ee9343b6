import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { parseField, parsingAt } from '../parse/parse-field.js';
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
  /** Null: sentences for the unified highlighter, characters for the vector highlighter. */
  readonly boundaryScanner: 'sentence' | 'word' | 'chars' | null;
  /** Characters at which the vector highlighter cuts, and how far it looks for one. */
  readonly boundaryChars: string;
  readonly boundaryMaxScan: number;
  /** Limit on phrases that the vector highlighter looks at. */
  readonly phraseLimit: number;
  /** Characters before the first match of a fragment of the vector highlighter; -1: 6. */
  readonly fragmentOffset: number;
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
  boundaryScanner: null,
  boundaryChars: '.,!? \t\n',
  boundaryMaxScan: 20,
  phraseLimit: 256,
  fragmentOffset: -1,
  fragmenter: 'span',
  highlightQuery: null,
  matchedFields: [],
  maxAnalyzedOffset: null,
};

const STYLED = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`);

/** Kinds of JSON values that an option takes, and its parser. */
interface Option {
  readonly tokens: readonly string[];
  readonly read: (value: unknown, place: OptionPlace, context: ParseContext) => Partial<HighlightOptions>;
}

const TEXT = ['VALUE_STRING'];
const NUMBER = ['VALUE_NUMBER', 'VALUE_STRING'];
const BOOLEAN = ['VALUE_BOOLEAN', 'VALUE_STRING'];
const TEXTS = ['VALUE_STRING', 'START_ARRAY'];
const OBJECT = ['START_OBJECT'];

const option =
  <T>(tokens: readonly string[], parse: (value: unknown, place: OptionPlace) => T) =>
  (result: (parsed: T) => Partial<HighlightOptions>): Option => ({
    tokens,
    read: (value, place) => result(parse(value, place)),
  });
const textOption = option(TEXT, text);
const numberOption = option(NUMBER, int);
const booleanOption = option(BOOLEAN, boolean);
const textsOption = option(TEXTS, (value, place) =>
  Array.isArray(value) ? value.map((item, i) => textAt(item, value, i)) : [text(value, place)],
);

function textAt(item: unknown, list: object, i: number): string {
  if (!Array.isArray(item)) return text(item, { type: 'highlight', container: list, key: i });
  return parsingAt({ container: list, key: i }, () => {
    throw errors.refusedState(`expected value but got [${tokenOf(item)}]`);
  });
}

type Options = Readonly<Record<string, Option>>;

/** Parsers of the options that both the global part and each field understand. */
const COMMON: Options = {
  pre_tags: textsOption((preTags) => ({ preTags })),
  post_tags: textsOption((postTags) => ({ postTags })),
  order: textOption((order) => ({ isScoreOrdered: order.toLowerCase() === 'score' })),
  highlight_filter: booleanOption(() => ({})),
  fragment_size: numberOption((fragmentSize) => ({ fragmentSize })),
  number_of_fragments: numberOption((numberOfFragments) => ({ numberOfFragments })),
  require_field_match: booleanOption((requireFieldMatch) => ({ requireFieldMatch })),
  boundary_scanner: textOption((name) => ({ boundaryScanner: scanner(name) })),
  boundary_max_scan: numberOption((boundaryMaxScan) => ({ boundaryMaxScan })),
  boundary_chars: textOption((boundaryChars) => ({ boundaryChars })),
  // Break iterators are those of the root locale.
  boundary_scanner_locale: textOption(() => ({})),
  type: textOption((type) => ({ type })),
  fragmenter: textOption((fragmenter) => ({ fragmenter })),
  no_match_size: numberOption((noMatchSize) => ({ noMatchSize })),
  // Values are read from the source in any case.
  force_source: booleanOption(() => ({})),
  phrase_limit: numberOption((phraseLimit) => ({ phraseLimit })),
  max_analyzed_offset: numberOption((offset) => ({ maxAnalyzedOffset: positiveOffset(offset) })),
  options: { tokens: OBJECT, read: () => ({}) },
  highlight_query: {
    tokens: OBJECT,
    read: (value, _place, context) => ({ highlightQuery: parseQuery(value, context) }),
  },
};

const GLOBAL: Options = {
  ...COMMON,
  tags_schema: textOption(tagsSchema),
  encoder: textOption((name) => ({ encoder: name === 'html' ? 'html' : 'default' })),
};

const FIELD: Options = {
  ...COMMON,
  fragment_offset: numberOption((fragmentOffset) => ({ fragmentOffset })),
  matched_fields: textsOption((matchedFields) => ({ matchedFields })),
};

const ENUM = 'org.elasticsearch.search.fetch.subphase.highlight.HighlightBuilder.BoundaryScannerType';

function scanner(name: string): 'sentence' | 'word' | 'chars' {
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
  known: Options,
  base: HighlightOptions,
  context: ParseContext,
): HighlightOptions {
  let options = base;
  for (const key of Object.keys(body))
    if (key !== 'fields' || type !== 'highlight')
      options = { ...options, ...readOption({ type, container: body, key }, known, context) };
  // Both come with a schema of tags.
  const hasPostTags = body['post_tags'] !== undefined || body['tags_schema'] !== undefined;
  if (body['pre_tags'] !== undefined && !hasPostTags)
    throw errors.parsing('pre_tags are set but post_tags are not set', { location: { container: body, at: 'end' } });
  if (options.preTags.length === 0 || options.postTags.length === 0)
    throw errors.illegalArgument('[pre_tags] and [post_tags] need at least one tag each');
  return options;
}

function readOption(
  place: OptionPlace & { readonly container: object; readonly key: string },
  known: Options,
  context: ParseContext,
): Partial<HighlightOptions> {
  const { type, container, key } = place;
  if (!Object.hasOwn(known, key))
    throw unknownField(type, key, container, [...Object.keys(known), ...(type === 'highlight' ? ['fields'] : [])]);
  const { tokens, read } = known[key]!;
  const value = (container as JsonObject)[key];
  checkToken(type, container, key, value, tokens);
  return parseField(type, container, key, () => read(value, place, context));
}

function checkToken(type: string, container: object, key: string, value: unknown, tokens: readonly string[]): void {
  if (tokens.includes(tokenOf(value))) return;
  throw errors.xContentParse(`[${type}] ${key} doesn't support values of type: ${tokenOf(value)}`, {
    location: { container, key },
  });
}

/** Limits on the fields of a request, and on those with wildcards: each is compared with every field of the mapping. */
const FIELDS_MAX = 1024;
const PATTERNS_MAX = 256;

function checkFields(fields: unknown): void {
  const names = Array.isArray(fields)
    ? fields.flatMap((entry: unknown) => (isPlainObject(entry) ? Object.keys(entry) : []))
    : Object.keys(fields as JsonObject);
  const refuse = (what: string, max: number, count: number): void => {
    if (count > max)
      throw errors.illegalArgument(
        `Trying to highlight too many ${what}. Must be less than or equal to: [${max}] but was [${count}]`,
      );
  };
  refuse('fields', FIELDS_MAX, names.length);
  refuse('patterns of fields', PATTERNS_MAX, names.filter((name) => name.includes('*')).length);
}

/** Parses a `highlight` body. Throws x_content_parse_exception for unknown options. */
export function parseHighlight(body: unknown, container: object, context: ParseContext): HighlightField[] {
  if (!isPlainObject(body))
    throw errors.parsing(`Unknown key for a ${tokenOf(body)} in [highlight].`, {
      location: { container, key: 'highlight' },
    });
  const global = readOptions('highlight', body, GLOBAL, DEFAULTS, context);
  const { fields } = body;
  if (fields === undefined) return [];
  checkToken('highlight', body, 'fields', fields, ['START_OBJECT', 'START_ARRAY']);
  checkFields(fields);
  const parse = (pattern: string, holder: JsonObject): HighlightField => ({
    pattern,
    options: parseField('fields', holder, pattern, () =>
      fieldOptions(holder[pattern], holder, pattern, global, context),
    ),
  });
  return parseField('highlight', body, 'fields', () =>
    Array.isArray(fields)
      ? fields.map((entry, i) => parseEntry(entry, fields, i, parse))
      : Object.keys(fields as JsonObject).map((pattern) => parse(pattern, fields as JsonObject)),
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

/** Parses an object with a single field; a second one is refused where it begins. */
function parseEntry(
  entry: unknown,
  list: readonly unknown[],
  key: number,
  parse: (pattern: string, holder: JsonObject) => HighlightField,
): HighlightField {
  const [first, second] = isPlainObject(entry) ? Object.keys(entry) : [];
  const field = first === undefined ? null : parse(first, entry as JsonObject);
  if (field !== null && second === undefined) return field;
  throw errors.xContentParse(
    '[fields] can be a single object with any number of fields or an array where each entry is an object with a ' +
      'single field',
    {
      location:
        second === undefined ? { container: list, key } : { container: entry as JsonObject, key: second, at: 'key' },
    },
  );
}
