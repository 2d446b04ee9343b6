import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { MATCH_DEFAULTS, namedAnalyzer, operator } from '../full-text/match-options.js';
import { hasAllFields, resolveFields } from '../full-text/query-fields.js';
import { boolean, int, type Options, readOptions, type Reader, text, textOrNull } from '../parse/options.js';
import { syntaxText } from '../parse/syntax-text.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan } from '../plan-query.js';
import { SIMPLE_FLAGS, simplePlan } from '../query-string/simple-syntax.js';
import { stringFieldList } from './multi-match.js';
import { defaultBoosts, unsupportedContainer, withMinimum } from './query-string.js';

/** A query in a simple syntax, in which every text is valid. */
export const simpleQueryString: QueryType = { name: 'simple_query_string', parse: (body) => parse(body as JsonObject) };

/** Parses `flags`: names joined by `|`, or the sum of their bits. */
const flags: Reader<ReadonlySet<string>> = (value) => {
  if (typeof value === 'number')
    return value < 0 ? new Set(SIMPLE_FLAGS) : new Set(SIMPLE_FLAGS.filter((_, i) => (value & (1 << i)) !== 0));
  const names = String(value)
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const chosen = new Set<string>();
  for (const given of names) {
    const name = given.toUpperCase();
    if (name === 'NONE') return new Set();
    if (name === 'ALL') return new Set(SIMPLE_FLAGS);
    if (!SIMPLE_FLAGS.includes(name === 'SLOP' ? 'NEAR' : name))
      throw errors.illegalArgument(`Unknown simple_query_string flag [${given}]`);
    chosen.add(name === 'SLOP' ? 'NEAR' : name);
  }
  return chosen;
};

const READERS = {
  query: syntaxText,
  fields: stringFieldList,
  default_operator: operator,
  analyzer: text,
  flags,
  lenient: boolean,
  analyze_wildcard: boolean,
  fuzzy_max_expansions: int,
  fuzzy_prefix_length: int,
  fuzzy_transpositions: boolean,
  minimum_should_match: textOrNull,
  quote_field_suffix: textOrNull,
  auto_generate_synonyms_phrase_query: boolean,
};

type Given = Options<typeof READERS>;

function parse(body: JsonObject): ParsedQuery {
  for (const key of Object.keys(body)) {
    if (!isPlainObject(body[key]) && (!Array.isArray(body[key]) || key === 'fields')) continue;
    throw unsupportedContainer('simple_query_string', key, body);
  }
  for (const key of Object.keys(body)) {
    if (!Object.hasOwn(READERS, key) && key !== 'boost' && key !== '_name') throw unsupported(key, body);
  }
  const given = readOptions('simple_query_string', body, READERS);
  const query = given.query;
  if (query === undefined)
    throw errors.parsing('[simple_query_string] query text missing', { location: { container: body, at: 'end' } });
  return {
    type: 'simple_query_string',
    boost: given.boost,
    queryName: given.queryName,
    plan: (context) => plan(query, given, context),
  };
}

function unsupported(key: string, body: JsonObject): Error {
  return errors.parsing(`[simple_query_string] unsupported field [${key}]`, { location: { container: body, key } });
}

function plan(query: string, given: Given, context: PlanContext): Plan {
  // `lenient` covers fields and values only: an unknown analyser is refused all the same.
  if (given.analyzer !== undefined) namedAnalyzer(given.analyzer, 'simple_query_string', context);
  const boosts = defaultBoosts(given.fields, null, context);
  const fields = resolveFields(boosts, context);
  const lenient = given.lenient ?? hasAllFields([...boosts.keys()]);
  const found = simplePlan(
    query,
    {
      match: {
        ...MATCH_DEFAULTS,
        query: 'simple_query_string',
        operator: given.default_operator ?? 'OR',
        analyzer: given.analyzer ?? null,
        lenient,
        prefixLength: given.fuzzy_prefix_length ?? 0,
        maxExpansions: given.fuzzy_max_expansions ?? MATCH_DEFAULTS.maxExpansions,
        transpositions: given.fuzzy_transpositions ?? true,
        zeroTerms: 'skip',
      },
      fields,
      quotedFields:
        given.quote_field_suffix == null ? fields : resolveFields(boosts, context, given.quote_field_suffix),
      flags: given.flags ?? new Set(SIMPLE_FLAGS),
      defaultOperator: given.default_operator ?? 'OR',
      analyzeWildcard: given.analyze_wildcard ?? false,
    },
    context,
  );
  return found === null
    ? nonePlan('Matching no documents because no terms present')
    : withMinimum(found, given.minimum_should_match ?? null);
}
