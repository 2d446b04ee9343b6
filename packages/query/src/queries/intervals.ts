import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import type { Analyzer } from '@shoal/analysis';
import { type ApiError, errors } from '@shoal/errors';
import { expandTerms } from '../execute/dictionary/expand-terms.js';
import { textPositions } from '../full-text/text-positions.js';
import type { IntervalRelation, IntervalTree } from '../execute/positions/interval-tree.js';
import { isTextField } from '../full-text/text-field.js';
import { namedAnalyzer } from '../full-text/match-options.js';
import { AUTO_FUZZINESS, fuzziness } from '../parse/fuzziness.js';
import {
  boolean,
  checkBoost,
  double,
  float,
  int,
  readOptions,
  type Reader,
  text,
  unsupportedValue,
} from '../parse/options.js';
import { parseField } from '../parse/parse-field.js';
import { parseSearchScript, plannedScript } from '../scripts/segment-script.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan, TermMatch } from '../plan.js';
import { nonePlan } from '../plan-query.js';

/** Terms in an order and within distances of each other, by a tree of rules. */
export const intervals: QueryType = { name: 'intervals', parse: (body) => parse(body as JsonObject) };

/** Limit on the terms that a prefix, wildcard or fuzzy rule expands to. */
const EXPANSIONS_MAX = 128;

/** A parsed rule: makes its tree for a field once the mapping is known. */
type Rule = (field: string, context: PlanContext) => IntervalTree;

function parse(body: JsonObject): ParsedQuery {
  const [field, second] = Object.keys(body);
  if (field === undefined)
    throw errors.parsing('Expected [FIELD_NAME] but got [END_OBJECT]', { location: { container: body, at: 'end' } });
  if (second !== undefined)
    throw errors.parsing(`[intervals] query doesn't support multiple fields, found [${field}] and [${second}]`, {
      location: { container: body, key: second },
    });
  const clause = body[field];
  if (!isPlainObject(clause))
    throw errors.parsing(`Expected [START_OBJECT] but got [${tokenOf(clause)}]`, {
      location: { container: body, key: field },
    });
  let rule: { readonly key: string; readonly make: Rule } | null = null;
  let boost = 1;
  let queryName: string | null = null;
  for (const key of Object.keys(clause)) {
    const place = { type: 'intervals', container: clause, key };
    if (key === 'boost') boost = checkBoost(float(clause[key], place), 'intervals', body);
    else if (key === '_name') queryName = text(clause[key], place);
    else if (rule)
      throw errors.parsing(`Only one interval rule can be specified, found [${rule.key}] and [${key}]`, {
        location: { container: clause, key, at: 'key' },
      });
    else rule = { key, make: parseRule(key, clause[key], clause) };
  }
  if (!rule)
    throw errors.parsing('Missing intervals from interval query definition', {
      location: { container: body, at: 'end' },
    });
  const given = rule.make;
  return { type: 'intervals', boost, queryName, plan: (context) => plan(field, given, context) };
}

function plan(field: string, rule: Rule, context: PlanContext): Plan {
  const type = context.searcher.mapping.field(field);
  if (!type) return nonePlan('');
  requireText(type.name, context);
  return { kind: 'intervals', field: type.name, tree: rule(type.name, context), boost: 1 };
}

function requireText(field: string, { searcher }: PlanContext): void {
  const type = searcher.mapping.field(field);
  if (!type || !isTextField(type)) {
    // All keys of a `flattened` field are one field in 8.12.
    const shown = type?.keyOf === undefined ? field : `${type.keyOf}._keyed`;
    throw errors.illegalArgument(
      `Can only use interval queries on text fields - not on [${shown}] which is of type [${type?.typeName ?? field}]`,
    );
  }
  if (!type.layout?.terms?.positions)
    throw errors.illegalArgument(`Cannot create intervals over field [${field}] with no positions indexed`);
}

const RULES: Readonly<Record<string, (body: JsonObject) => Rule>> = {
  match: parseMatch,
  any_of: parseAnyOf,
  all_of: parseAllOf,
  prefix: parsePrefix,
  wildcard: parseWildcard,
  fuzzy: parseFuzzy,
};

function parseRule(name: string, body: unknown, container: object): Rule {
  if (!Object.hasOwn(RULES, name)) {
    throw errors.parsing(
      `Unknown interval type [${name}], expecting one of [match, any_of, all_of, prefix, wildcard]`,
      { location: { container, key: name, at: 'key' } },
    );
  }
  if (!isPlainObject(body))
    throw errors.xContentParse(`[${name}] Expected START_OBJECT but was: ${tokenOf(body)}`, {
      location: { container, key: name },
    });
  return RULES[name]!(body);
}

function ruleList(type: string, value: unknown, container: JsonObject): Rule[] {
  if (!Array.isArray(value)) throw unsupportedValue(type, 'intervals', container);
  return parseField(type, container, 'intervals', () => value.map((_, i) => ruleOf(value, i)));
}

/** Parses a rule of a list. Elasticsearch tells of the token after an item that is no object. */
function ruleOf(list: readonly unknown[], i: number): Rule {
  const item = list[i];
  const place = { container: list, key: i };
  const missing = (found: string, at: 'end' | 'next'): ApiError =>
    errors.parsing(`Expected [FIELD_NAME] but got [${found}]`, { location: { ...place, at } });
  if (!isPlainObject(item)) throw missing(i + 1 < list.length ? tokenOf(list[i + 1]) : 'END_ARRAY', 'next');
  if (Object.keys(item).length === 0) throw missing('END_OBJECT', 'end');
  return onlyRule(item, list, i);
}

function onlyRule(entry: unknown, container: object, key: string | number): Rule {
  const [name, second] = isPlainObject(entry) ? Object.keys(entry) : [];
  if (!isPlainObject(entry) || name === undefined)
    throw errors.parsing(`Expected [START_OBJECT] with one interval rule but found [${tokenOf(entry)}]`, {
      location: { container, key },
    });
  const rule = parseRule(name, entry[name], entry);
  if (second !== undefined) throw oneRuleOnly(entry, second);
  return rule;
}

const oneRuleOnly = (container: object, key: string): ApiError =>
  errors.parsing('Expected [END_OBJECT] but got [FIELD_NAME]', { location: { container, key, at: 'key' } });

const RELATIONS: readonly string[] = [
  'before',
  'after',
  'contained_by',
  'containing',
  'not_contained_by',
  'not_containing',
  'not_overlapping',
  'overlapping',
];

/** Parses `filter`, which keeps intervals by their relation to the intervals of another rule. */
function parseFilter(value: JsonObject, container: object): (rule: Rule) => Rule {
  const [name, second] = Object.keys(value);
  if (name === undefined)
    throw errors.parsing('Expected [FIELD_NAME] but got [END_OBJECT]', { location: { container, key: 'filter' } });
  const made = filterOf(name, value);
  if (second !== undefined) throw oneRuleOnly(value, second);
  return made;
}

function filterOf(name: string, value: JsonObject): (rule: Rule) => Rule {
  if (name === 'script') return parseScriptFilter(value);
  if (!RELATIONS.includes(name))
    throw errors.parsing(`Unknown filter type [${name}]`, { location: { container: value, key: name } });
  const by = onlyRule(value[name], value, name);
  return (rule) => (field, context) => ({
    kind: 'filter',
    relation: name as IntervalRelation,
    source: rule(field, context),
    by: by(field, context),
  });
}

/** Parses `filter.script`, which keeps intervals for which it says true. */
function parseScriptFilter(body: JsonObject): (rule: Rule) => Rule {
  const json = body['script'];
  if (!isPlainObject(json))
    throw errors.xContentParse(`[script] Expected START_OBJECT but was: ${tokenOf(json)}`, {
      location: { container: body, key: 'script' },
    });
  const script = parseSearchScript(json, 'interval');
  return (rule) => (field, context) => {
    plannedScript(script, context);
    return { kind: 'script', source: rule(field, context), script };
  };
}

const filter: Reader<(rule: Rule) => Rule> = (value, { type, container, key }) => {
  if (!isPlainObject(value)) throw unsupportedValue(type, String(key), container as JsonObject);
  return parseField(type, container, String(key), () => parseFilter(value, container));
};
const unfiltered = (rule: Rule): Rule => rule;

/** Combines sources, in order or not, with at most `maxGaps` positions between them. */
function combine(sources: readonly IntervalTree[], isOrdered: boolean, maxGaps: number): IntervalTree {
  if (sources.length === 0) return { kind: 'none' };
  if (sources.length === 1) return sources[0]!;
  if (isOrdered && maxGaps === 0) return { kind: 'phrase', sources };
  const kind = isOrdered ? 'ordered' : 'unordered';
  const flat = sources.flatMap((source) => (source.kind === kind ? source.sources : [source]));
  const distinct = joinEqual(flat, isOrdered);
  const tree: IntervalTree = distinct.length === 1 ? distinct[0]! : { kind, sources: distinct };
  return maxGaps < 0 ? tree : { kind: 'maxGaps', source: tree, gaps: maxGaps };
}

/**
 * Joins equal sources to one that repeats, as Lucene's OrderedIntervalsSource (neighbours only) and
 * UnorderedIntervalsSource do: two sources of one term are two places in the text.
 */
function joinEqual(sources: readonly IntervalTree[], isOrdered: boolean): IntervalTree[] {
  const groups: { readonly key: string; readonly source: IntervalTree; count: number }[] = [];
  const byKey = new Map<string, (typeof groups)[number]>();
  for (const source of sources) {
    const key = JSON.stringify(source);
    const known = isOrdered ? groups.at(-1) : byKey.get(key);
    if (known?.key === key) {
      known.count++;
      continue;
    }
    const group = { key, source, count: 1 };
    groups.push(group);
    byKey.set(key, group);
  }
  return groups.map(({ source, count }) => (count === 1 ? source : { kind: 'repeat', source, count }));
}

/** A text, as declared parsers take it: no number. */
const stringOption: Reader<string> = (value, { type, container, key }) => {
  if (typeof value !== 'string') throw unsupportedValue(type, String(key), container as JsonObject);
  return value;
};

/** A whole number; a fraction is cut off. */
const wholeOption: Reader<number> = (value, place) => {
  const key = String(place.key);
  if (value === null) throw unsupportedValue(place.type, key, place.container as JsonObject);
  return parseField(place.type, place.container, key, () => Math.trunc(double(value, place)));
};

const flagOption: Reader<boolean> = (value, place) =>
  parseField(place.type, place.container, String(place.key), () => boolean(value, place));

/** The error of an option that is missing: the parser of 8.12 stands at the end of the object. */
function requiredOption(name: string, body: JsonObject): ApiError {
  const error = errors.illegalArgument(`Required [${name}]`);
  error.parserAt = { container: body, at: 'end' };
  return error;
}

function parseMatch(body: JsonObject): Rule {
  const options = readOptions(
    'match',
    body,
    { query: stringOption, max_gaps: wholeOption, ordered: flagOption, analyzer: text, use_field: text, filter },
    'declared',
  );
  const { query } = options;
  if (query === undefined) throw requiredOption('query', body);
  const isOrdered = options.ordered ?? false;
  return (options.filter ?? unfiltered)((field, context) => {
    const target = options.use_field ?? field;
    if (options.use_field !== undefined) requireText(target, context);
    const analyzer = analyzerOf(target, options.analyzer, context);
    const sources = matchSources(target, query, analyzer, context.searcher.settings.maxClauseCount);
    return combine(sources, isOrdered, options.max_gaps ?? -1);
  });
}

function analyzerOf(field: string, name: string | undefined, context: PlanContext): Analyzer {
  return name === undefined
    ? context.searcher.mapping.field(field)!.searchAnalyzer!
    : namedAnalyzer(name, 'intervals', context);
}

/** Returns a source for each position of a text. A position that the analyser left empty extends the next source. */
function matchSources(field: string, query: string, analyzer: Analyzer, positionsMax: number): IntervalTree[] {
  let last = -1;
  return textPositions(analyzer, query, positionsMax).map(({ position, terms }) => {
    const words = terms.map((term): IntervalTree => ({ kind: 'term', field, term }));
    const source: IntervalTree = words.length === 1 ? words[0]! : { kind: 'or', sources: words };
    const gap = last < 0 ? 0 : position - last - 1;
    last = position;
    return gap > 0 ? { kind: 'extend', source, before: gap } : source;
  });
}

function parseAnyOf(body: JsonObject): Rule {
  const options = readOptions(
    'any_of',
    body,
    { intervals: (value) => ruleList('any_of', value, body), filter },
    'declared',
  );
  const rules = options.intervals;
  if (!rules) throw requiredOption('intervals', body);
  return (options.filter ?? unfiltered)((field, context) => ({
    kind: 'or',
    sources: rules.map((rule) => rule(field, context)),
  }));
}

function parseAllOf(body: JsonObject): Rule {
  const options = readOptions(
    'all_of',
    body,
    { intervals: (value) => ruleList('all_of', value, body), max_gaps: wholeOption, ordered: flagOption, filter },
    'declared',
  );
  const rules = options.intervals;
  if (!rules) throw requiredOption('intervals', body);
  return (options.filter ?? unfiltered)((field, context) =>
    combine(
      rules.map((rule) => rule(field, context)),
      options.ordered ?? false,
      options.max_gaps ?? -1,
    ),
  );
}

/** Returns a rule that matches any term of the index that a predicate accepts. */
function termsRule(
  match: (normalize: (text: string) => string) => TermMatch,
  analyzer: string | undefined,
  useField: string | undefined,
  what: string,
): Rule {
  return (field, context) => {
    const target = useField ?? field;
    if (useField !== undefined) requireText(target, context);
    const source = analyzerOf(target, analyzer, context);
    const terms = expandTerms(
      target,
      match((given) => source.normalize(given)),
      context.searcher,
      EXPANSIONS_MAX,
      what,
    );
    const sources = terms.map((term): IntervalTree => ({ kind: 'term', field: target, term }));
    return { kind: 'or', sources, text: `MultiTerm(${what})` };
  };
}

function parsePrefix(body: JsonObject): Rule {
  const {
    prefix,
    analyzer,
    use_field: useField,
  } = readOptions('prefix', body, { prefix: stringOption, analyzer: text, use_field: text }, 'declared');
  if (prefix === undefined) throw requiredOption('prefix', body);
  return termsRule(
    (normalize) => ({ kind: 'prefix', prefix: normalize(prefix), caseInsensitive: false }),
    analyzer,
    useField,
    `${prefix}*`,
  );
}

function parseWildcard(body: JsonObject): Rule {
  const {
    pattern,
    analyzer,
    use_field: useField,
  } = readOptions('wildcard', body, { pattern: stringOption, analyzer: text, use_field: text }, 'declared');
  if (pattern === undefined) throw requiredOption('pattern', body);
  return termsRule(
    (normalize) => ({ kind: 'wildcard', pattern: normalize(pattern), caseInsensitive: false }),
    analyzer,
    useField,
    pattern,
  );
}

function parseFuzzy(body: JsonObject): Rule {
  const options = readOptions(
    'fuzzy',
    body,
    { term: text, prefix_length: int, transpositions: boolean, fuzziness, analyzer: text, use_field: text },
    'declared',
  );
  const { term } = options;
  if (term === undefined) throw requiredOption('term', body);
  return termsRule(
    (normalize) => {
      const normalized = normalize(term);
      const maxEdits = (options.fuzziness ?? AUTO_FUZZINESS)(normalized);
      return {
        kind: 'fuzzy',
        term: normalized,
        maxEdits,
        prefixLength: options.prefix_length ?? 0,
        transpositions: options.transpositions ?? true,
        maxExpansions: EXPANSIONS_MAX,
      };
    },
    options.analyzer,
    options.use_field,
    term,
  );
}
