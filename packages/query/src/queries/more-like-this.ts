import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { isLiked, likePlan, type LikeItem, type LikeOptions } from '../full-text/like-plan.js';
import { boolean, float, int, type Options, readOptions, type Reader, text, textOrNull } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';

/** Documents that share significant terms with texts or other documents. */
export const moreLikeThis: QueryType = {
  name: 'more_like_this',
  parse: (body, container) => parse(body as JsonObject, container),
};

const ITEM_KEYS = ['_index', '_id', 'doc', 'fields', 'routing', 'per_field_analyzer', 'version', 'version_type'];

/** The error of an item that is a list: the parser of 8.12 stands there. */
function noItem(list: readonly unknown[], i: number): Error {
  const error = errors.illegalArgument("Content of 'like' parameter should either be a string or an object");
  error.parserAt = { container: list, key: i };
  return error;
}

const items: Reader<LikeItem[]> = (value, place) =>
  (Array.isArray(value) ? value : [value]).map((item: unknown, i) => {
    if (Array.isArray(item)) throw noItem(value as unknown[], i);
    if (!isPlainObject(item)) return { text: text(item, place) };
    for (const key of Object.keys(item))
      if (!ITEM_KEYS.includes(key)) throw errors.parse(`failed to parse More Like This item. unknown field [${key}]`);
    const { _id: id, doc, fields, per_field_analyzer: analyzers } = item;
    if (id === undefined && doc === undefined)
      throw errors.parse('failed to parse More Like This item. neither [id] nor [doc] is specified!');
    return {
      id: id === undefined ? null : String(id),
      document: doc === undefined ? null : (doc as JsonObject),
      fields: fields === undefined ? null : strings(fields, { ...place, container: item, key: 'fields' }),
      version: item['version'] === undefined ? null : Number(item['version']),
      analyzers: isPlainObject(analyzers) ? new Map(Object.entries(analyzers)) : new Map(),
    };
  });

const strings: Reader<string[]> = (value, place) =>
  (Array.isArray(value) ? value : [value]).map((item) => text(item, place));

const READERS = {
  fields: strings,
  like: items,
  unlike: items,
  max_query_terms: int,
  min_term_freq: int,
  min_doc_freq: int,
  max_doc_freq: int,
  min_word_length: int,
  max_word_length: int,
  stop_words: strings,
  analyzer: text,
  minimum_should_match: textOrNull,
  boost_terms: float,
  include: boolean,
  fail_on_unsupported_field: boolean,
};

type Given = Options<typeof READERS>;

function parse(body: JsonObject, container: object): ParsedQuery {
  for (const key of Object.keys(body)) {
    if (body[key] !== null && !Object.hasOwn(READERS, key) && key !== 'boost' && key !== '_name')
      throw errors.parsing(`[mlt] query does not support [${key}]`, { location: { container: body, key } });
  }
  const given = readOptions('mlt', body, READERS);
  const fail = (reason: string): Error =>
    errors.parsing(reason, { location: { container, key: 'more_like_this', at: 'end' } });
  if (!given.like || given.like.length === 0) throw fail("more_like_this requires 'like' to be specified");
  if (given.fields && given.fields.length === 0) throw fail("more_like_this requires 'fields' to be non-empty");
  const like = given.like;
  return {
    type: 'more_like_this',
    boost: given.boost,
    queryName: given.queryName,
    plan: (context) => plan(like, given, context),
  };
}

function plan(like: readonly LikeItem[], given: Given, context: PlanContext): Plan {
  const hasText = like.some((item) => 'text' in item);
  const fields = given.fields
    ? namedFields(given.fields, given.fail_on_unsupported_field ?? true, context)
    : allTextFields(hasText, context);
  const options: LikeOptions = {
    maxQueryTerms: given.max_query_terms ?? 25,
    minTermFreq: given.min_term_freq ?? 2,
    minDocFreq: given.min_doc_freq ?? 5,
    maxDocFreq: given.max_doc_freq ?? Infinity,
    minWordLength: given.min_word_length ?? 0,
    maxWordLength: given.max_word_length ?? 0,
    stopWords: new Set(given.stop_words ?? []),
    analyzer: given.analyzer ?? null,
    minimumShouldMatch: given.minimum_should_match ?? '30%',
    boostTerms: given.boost_terms ?? 0,
    include: given.include ?? false,
  };
  return likePlan(fields, like, given.unlike ?? [], options, context);
}

function namedFields(names: readonly string[], fails: boolean, { searcher }: PlanContext): string[] {
  const fields: string[] = [];
  for (const name of names) {
    const type = searcher.mapping.field(name);
    if (!type) fields.push(name);
    else if (isLiked(type)) fields.push(type.name);
    else if (fails) throw errors.illegalArgument(`more_like_this only supports text/keyword fields: [${name}]`);
  }
  return fields;
}

function allTextFields(hasText: boolean, { searcher }: PlanContext): string[] {
  const defaults = searcher.settings.defaultFields;
  if (hasText && (defaults.length !== 1 || defaults[0] === '*')) {
    throw errors.illegalArgument(
      '[more_like_this] query cannot infer the field to analyze the free text, you should update the ' +
        '[index.query.default_field] index setting to a field that exists in the mapping or set the [fields] option ' +
        'in the query.',
    );
  }
  if (defaults.length === 1 && defaults[0] !== '*') return [...defaults];
  return searcher.mapping.fields.filter(isLiked).map((type) => type.name);
}
