import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { parseScoreFunction, type ParsedFunction } from '../parse/score-function.js';
import { checkBoost, float, type OptionPlace, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { isNoneQuery, planQuery } from '../plan-query.js';

/** A query whose scores are changed by functions. */
export const functionScore: QueryType = {
  name: 'function_score',
  parse: (body, _container, context) => parse(body as JsonObject, context),
};

interface Entry {
  readonly filter: ParsedQuery | null;
  readonly weight: number | null;
  readonly function: ParsedFunction;
}

interface FunctionScoreParts {
  query: ParsedQuery | null;
  functions: Entry[];
  /** The function that is given outside of `functions`. */
  single: ParsedFunction | null;
  singleName: string | null;
  weight: number | null;
  scoreMode: string;
  boostMode: string;
  maxBoost: number;
  minScore: number | null;
  boost: number;
  queryName: string | null;
}

const FAILED = 'failed to parse [function_score] query.';
const SCORE_MODES = ['FIRST', 'AVG', 'MAX', 'SUM', 'MIN', 'MULTIPLY'];
const BOOST_MODES = ['MULTIPLY', 'REPLACE', 'SUM', 'AVG', 'MIN', 'MAX'];

function parse(body: JsonObject, context: QueryContext): ParsedQuery {
  const state: FunctionScoreParts = {
    query: null,
    functions: [],
    single: null,
    singleName: null,
    weight: null,
    scoreMode: 'multiply',
    boostMode: 'multiply',
    maxBoost: Infinity,
    minScore: null,
    boost: 1,
    queryName: null,
  };
  for (const key of Object.keys(body)) readKey(key, body, state, context);
  if (state.single || state.weight !== null) {
    state.functions.push({
      filter: null,
      weight: state.weight,
      function: state.single ?? { plan: () => ({ kind: 'weight' }) },
    });
  }
  return {
    type: 'function_score',
    boost: state.boost,
    queryName: state.queryName,
    isNone: (planContext) => state.query !== null && isNoneQuery(state.query, planContext),
    plan: (planContext) => plan(state, planContext),
  };
}

type Setter = (state: FunctionScoreParts, value: unknown, place: OptionPlace, context: QueryContext) => void;

const SETTERS: ReadonlyMap<string, Setter> = new Map<string, Setter>([
  [
    'query',
    (state, value, place, context) => {
      if (!isPlainObject(value)) throw unsupported('query', place);
      state.query = once(state.query, 'query', place) ?? context.parseQuery(value);
    },
  ],
  [
    'score_mode',
    (state, value, place) =>
      void (state.scoreMode = mode(
        text(value, place),
        SCORE_MODES,
        'illegal score_mode',
        'org.elasticsearch.common.lucene.search.function.FunctionScoreQuery.ScoreMode',
      )),
  ],
  [
    'boost_mode',
    (state, value, place) =>
      void (state.boostMode = mode(
        text(value, place),
        BOOST_MODES,
        'illegal boost_mode',
        'org.elasticsearch.common.lucene.search.function.CombineFunction',
      )),
  ],
  ['max_boost', (state, value, place) => void (state.maxBoost = float(value, place))],
  ['min_score', (state, value, place) => void (state.minScore = float(value, place))],
  [
    'boost',
    (state, value, place) => void (state.boost = checkBoost(float(value, place), 'function_score', place.container)),
  ],
  ['_name', (state, value, place) => void (state.queryName = text(value, place))],
  [
    'weight',
    (state, value, place) => {
      if (state.functions.length > 0) throw misplaced('weight', place);
      state.weight = weightOf(value, place);
    },
  ],
  [
    'functions',
    (state, value, place, context) => {
      const single = state.singleName ?? (state.weight === null ? null : 'weight');
      if (single !== null) throw both(single, place);
      state.functions = (Array.isArray(value) ? value : [value]).map((entry, i) =>
        parseEntry(entry, Array.isArray(value) ? value : place.container, i, context),
      );
    },
  ],
]);

function readKey(key: string, body: JsonObject, state: FunctionScoreParts, context: QueryContext): void {
  const place = { type: 'function_score', container: body, key };
  if (body[key] === null) return;
  const set = SETTERS.get(key);
  if (set) return set(state, body[key], place, context);
  if (!isPlainObject(body[key])) throw unsupported(key, place);
  if (state.functions.length > 0)
    throw errors.parsing(`${FAILED} already found [functions] array, now encountering [${key}].`, { location: place });
  if (state.single)
    throw errors.parsing(
      `${FAILED} already found function [${state.singleName}], now encountering [${key}]. use [functions] array if ` +
        'you want to define several functions.',
      { location: place },
    );
  state.single = parseScoreFunction(key, body[key], place);
  state.singleName = key;
}

function once<T>(value: T | null, name: string, place: OptionPlace): T | null {
  if (value === null) return null;
  throw errors.parsing(`${FAILED} [${name}] is already defined.`, { location: place });
}

function misplaced(key: string, place: OptionPlace): Error {
  return errors.parsing(`${FAILED} already found [functions] array, now encountering [${key}].`, { location: place });
}

function both(single: string, place: OptionPlace): Error {
  return errors.parsing(
    `${FAILED} [you can either define [functions] array or a single function, not both. already found [${single}], ` +
      'now encountering [functions].]',
    { location: place },
  );
}

function unsupported(key: string, place: OptionPlace): Error {
  const kind = Array.isArray((place.container as JsonObject)[key]) ? 'array' : 'field';
  return errors.parsing(`${FAILED} ${kind} [${key}] is not supported`, { location: place });
}

function mode(name: string, modes: readonly string[], _what: string, enumName: string): string {
  const upper = name.toUpperCase();
  if (modes.includes(upper)) return upper.toLowerCase();
  throw errors.illegalArgument(`No enum constant ${enumName}.${upper}`);
}

function weightOf(value: unknown, place: OptionPlace): number {
  const weight = float(value, place);
  if (weight >= 0) return weight;
  throw errors.illegalArgument('[weight] cannot be negative for a filtering function');
}

function parseEntry(entry: unknown, container: object, index: number, context: QueryContext): Entry {
  const place = { type: 'function_score', container, key: index };
  if (!isPlainObject(entry)) {
    throw errors.parsing(
      `failed to parse [START_OBJECT]. malformed query, expected a [${tokenOf(entry)}] while parsing functions but ` +
        'got a [function_score] instead',
      { location: place },
    );
  }
  let filter: ParsedQuery | null = null;
  let weight: number | null = null;
  let parsed: ParsedFunction | null = null;
  for (const key of Object.keys(entry)) {
    const inner = { ...place, container: entry, key };
    // 8.12 passes over arrays and null, whatever they stand for, and takes scalars in an array for the value.
    if (Array.isArray(entry[key]) && key !== 'weight') refuseScalars(key, entry[key], place);
    if (entry[key] === null || Array.isArray(entry[key])) continue;
    if (key === 'weight') weight = weightOf(entry[key], inner);
    else if (key === 'filter' && isPlainObject(entry[key])) filter = filterOf(context.parseQuery(entry[key]));
    else if (!isPlainObject(entry[key]))
      throw errors.parsing(`${FAILED} field [${key}] is not supported`, { location: inner });
    else if (parsed)
      throw errors.parsing(
        'failed to parse function_score functions. already found [function], now encountering [' + key + '].',
        { location: inner },
      );
    else parsed = parseScoreFunction(key, entry[key], inner);
  }
  if (parsed === null && weight === null) {
    throw errors.parsing(`${FAILED} an entry in functions list is missing a function.`, {
      location: { container: entry, at: 'end' },
    });
  }
  return { filter, weight, function: parsed ?? { plan: () => ({ kind: 'weight' }) } };
}

function refuseScalars(key: string, items: readonly unknown[], place: OptionPlace): void {
  const at = items.findIndex((item) => item !== null && typeof item !== 'object');
  if (at < 0) return;
  throw errors.parsing(`${FAILED} field [${key}] is not supported`, {
    location: { ...place, container: items, key: at },
  });
}

/** A filter on everything is none; its name is not reported. */
const filterOf = (filter: ParsedQuery): ParsedQuery | null => (filter.type === 'match_all' ? null : filter);

function plan(state: FunctionScoreParts, context: PlanContext): Plan {
  if (state.query !== null && isNoneQuery(state.query, context)) return planQuery(state.query, context);
  // Without a function there is nothing to combine the score with, whatever the boost_mode.
  const isBare = state.functions.length === 0;
  // Functions come before the query, and before their filters: the first error is answered.
  const functions = state.functions.map((entry) => ({
    function: entry.function.plan(context),
    // Inner hits of filters are not shown.
    filter: entry.filter && planQuery(entry.filter, { ...context, innerHits: [] }),
    weight: entry.weight,
  }));
  return {
    kind: 'functionScore',
    plan: state.query ? planQuery(state.query, context) : { kind: 'all', boost: 1 },
    functions,
    scoreMode: state.scoreMode,
    boostMode: isBare ? 'multiply' : state.boostMode,
    maxBoost: isBare ? Infinity : state.maxBoost,
    minScore: state.minScore,
    boost: 1,
  };
}
