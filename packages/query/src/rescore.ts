import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import type { GlobalStatistics } from './execute/statistics.js';
import { explainPlan, explainSearch } from './explain.js';
import type { Explanation } from './plans/explanation-tree.js';
import { numberField, objectField, readDeclared, stringField } from './parse/declared.js';
import { float } from './parse/options.js';
import { parseQuery } from './parse/parse-query.js';
import type { ParseContext, ParsedQuery, PlanContext } from './parsed-query.js';
import type { Plan } from './plan.js';
import { planQuery } from './plan-query.js';
import { type ModelRescore, parseModelRescore, treesOf } from './rank-model.js';
import { integerOf } from './search/numbers.js';

/** One pass of rescoring the best hits of a shard. */
export type Rescore = QueryRescore | ModelRescore;

/** A pass that joins the scores of a second query with those of the first. */
export interface QueryRescore {
  readonly kind: 'query';
  readonly windowSize: number;
  readonly query: ParsedQuery;
  readonly queryWeight: number;
  readonly rescoreWeight: number;
  readonly scoreMode: string;
  readonly combine: (first: number, second: number) => number;
}

const WINDOW_SIZE = 10;

const SCORE_MODES: ReadonlyMap<string, QueryRescore['combine']> = new Map<string, QueryRescore['combine']>([
  ['total', (first, second) => Math.fround(first + second)],
  ['multiply', (first, second) => Math.fround(first * second)],
  ['avg', (first, second) => Math.fround(Math.fround(first + second) / 2)],
  ['max', Math.max],
  ['min', Math.min],
]);

/** Parses `rescore`: one pass or several. */
export function parseRescore(json: unknown, context: ParseContext, container: object): readonly Rescore[] {
  if (json === undefined || json === null) return [];
  if (!Array.isArray(json)) return [parseOne(json, container, 'rescore', context)];
  return json.map((one: unknown, i) => {
    if (!isPlainObject(one)) throw notAPass(one, json, i);
    return parseOne(one, json, i, context);
  });
}

/** The error of an item that is no object: Elasticsearch reads on from it, and tells of the token after it. */
function notAPass(one: unknown, list: readonly unknown[], i: number): Error {
  const inside = Array.isArray(one) && one.length > 0;
  const [container, key]: [readonly unknown[], number] = inside ? [one, 0] : [list, i + 1];
  const next = container[key];
  const location = { container, key };
  if ((inside || !Array.isArray(one)) && isPlainObject(next))
    return errors.namedObjectNotFound('unknown field [null]', { location });
  if ((inside || !Array.isArray(one)) && (Array.isArray(next) || next === null))
    return errors.parsing(`unexpected token [${tokenOf(next)}] after [null]`, { location });
  const end = { container: list, key: i, at: Array.isArray(one) ? 'end' : 'next' } as const;
  return errors.parsing('unexpected token [END_ARRAY] after [null]', { location: end });
}

/** Parses one pass; `container` and `place` say where it stands. */
function parseOne(one: unknown, container: object, place: string | number, context: ParseContext): Rescore {
  const end = { container, key: place, at: 'end' } as const;
  // Elasticsearch reads on from a value that is no object, and finds the end of the array.
  if (!isPlainObject(one)) throw errors.parsing('unexpected token [END_ARRAY] after [null]', { location: end });
  let windowSize = WINDOW_SIZE;
  let pass: Omit<QueryRescore, 'windowSize'> | Omit<ModelRescore, 'windowSize'> | null = null;
  for (const [key, value] of Object.entries(one)) {
    const location = { container: one, key };
    if (isPlainObject(value)) {
      if (key === 'query') pass = parseQueryRescorer(value, context);
      else if (key === 'learning_to_rank') pass = parseModelRescore(value, context);
      else throw errors.namedObjectNotFound(`unknown field [${key}]`, { location });
    } else if (Array.isArray(value) || value === null)
      throw errors.parsing(`unexpected token [${tokenOf(value)}] after [${key}]`, { location });
    else if (key === 'window_size') windowSize = wantedWindow(value);
    else throw errors.parsing(`rescore doesn't support [${key}]`, { location });
  }
  if (pass === null) throw errors.parsing('missing rescore type', { location: end });
  return { windowSize, ...pass };
}

/** Elasticsearch fails with a status of 500 for a window that is negative. */
function wantedWindow(value: unknown): number {
  const size = integerOf(value);
  if (size < 0) throw errors.illegalArgument(`[window_size] must be positive, found [${size}]`);
  return size;
}

function parseQueryRescorer(body: JsonObject, context: ParseContext): Omit<QueryRescore, 'windowSize'> {
  const given = readDeclared('query', body, {
    rescore_query: objectField((value) => parseQuery(value, context)),
    query_weight: numberField(float),
    rescore_query_weight: numberField(float),
    score_mode: stringField((value) => scoreMode(String(value).toLowerCase())),
  });
  if (given.rescore_query === undefined) throw errors.illegalArgument('rescore_query cannot be null');
  return {
    kind: 'query',
    query: given.rescore_query,
    queryWeight: given.query_weight ?? 1,
    rescoreWeight: given.rescore_query_weight ?? 1,
    ...(given.score_mode ?? scoreMode('total')),
  };
}

function scoreMode(name: string): Pick<QueryRescore, 'scoreMode' | 'combine'> {
  const combine = SCORE_MODES.get(name);
  if (combine === undefined) throw errors.illegalArgument(`illegal score_mode [${name}]`);
  return { scoreMode: name, combine };
}

/** A search whose hits are explained. */
interface ExplainedSearch {
  readonly plan: Plan;
  /** Filter of the alias; null for none. */
  readonly filter: Plan | null;
  readonly rescore: readonly Rescore[];
  /** Statistics of all shards; null for those of the shard. */
  readonly statistics: GlobalStatistics | null;
}

/**
 * Explains the score of a document, for the query and the filter of the alias, after rescore passes. `score` tells
 * whether the document was within their windows.
 */
export function explainRescored(
  { plan, filter, rescore, statistics }: ExplainedSearch,
  context: PlanContext,
  doc: number,
  score: number | null,
): Explanation {
  const first = explainSearch(plan, context.searcher, doc, { filter, statistics });
  const explain: Explain = (query) => explainPlan(planQuery(query, context), context.searcher, doc, statistics);
  const rescored = rescore.reduce((before, pass) => explainPass(before, pass, explain, context), first);
  if (score === null || rescored.value === score || rescore.length === 0) return rescored;
  return rescore.reduce(
    (before, pass) => (pass.kind === 'query' ? product(before, pass.queryWeight, 'primaryWeight') : before),
    first,
  );
}

type Explain = (query: ParsedQuery) => Explanation;

function explainPass(first: Explanation, pass: Rescore, explain: Explain, context: PlanContext): Explanation {
  if (pass.kind === 'model') return explainModel(first, pass, explain, context);
  const second = explain(pass.query);
  const primary = product(first, pass.queryWeight, 'primaryWeight');
  if (!second.match) return primary;
  const secondary = product(second, pass.rescoreWeight, 'secondaryWeight');
  return {
    match: true,
    value: pass.combine(primary.value, secondary.value),
    description: `${DESCRIPTIONS.get(pass.scoreMode)} of:`,
    details: [primary, secondary],
  };
}

function explainModel(first: Explanation, pass: ModelRescore, explain: Explain, context: PlanContext): Explanation {
  const { model, modelId } = pass;
  if (model === null) return first;
  const features = model.features.map(({ name, query, defaultScore }): [string, Explanation] => {
    const own = explain(query);
    const missed = { match: true, value: defaultScore, description: 'default score', details: [] };
    return [name, own.match ? own : missed];
  });
  const values = new Map(features.map(([name, { value }]) => [name, value]));
  const details = features.map(([name, own]) => ({
    ...{ match: true, value: own.value, description: `feature value for [${name}]`, details: [own] },
  }));
  return {
    match: first.match,
    value: Math.fround(treesOf(model, context.searcher).value((name) => values.get(name))),
    description: `rescored using LTR model ${modelId}`,
    details,
  };
}

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['total', 'sum'],
  ['multiply', 'product'],
  ['avg', 'avg'],
  ['max', 'max'],
  ['min', 'min'],
]);

function product(explanation: Explanation, weight: number, name: string): Explanation {
  const factor: Explanation = { match: true, value: weight, description: name, details: [] };
  return {
    match: explanation.match,
    value: Math.fround(explanation.value * weight),
    description: 'product of:',
    details: [explanation, factor],
  };
}
