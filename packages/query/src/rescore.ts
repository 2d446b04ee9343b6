import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { explainPlan, explainSearch } from './explain.js';
import type { Explanation } from './plans/explanation.js';
import { parseQuery } from './parse/parse-query.js';
import type { ParseContext, ParsedQuery, PlanContext } from './parsed-query.js';
import type { Plan } from './plan.js';
import { planQuery } from './plan-query.js';

/** One pass of rescoring the best hits of a shard. */
export interface Rescore {
  readonly windowSize: number;
  readonly query: ParsedQuery;
  readonly queryWeight: number;
  readonly rescoreWeight: number;
  readonly scoreMode: string;
  readonly combine: (first: number, second: number) => number;
}

const WINDOW_SIZE = 10;

const SCORE_MODES: ReadonlyMap<string, Rescore['combine']> = new Map<string, Rescore['combine']>([
  ['total', (first, second) => Math.fround(first + second)],
  ['multiply', (first, second) => Math.fround(first * second)],
  ['avg', (first, second) => Math.fround(Math.fround(first + second) / 2)],
  ['max', Math.max],
  ['min', Math.min],
]);

interface RescoreJson {
  readonly window_size?: number | string;
  readonly query?: {
    readonly rescore_query?: unknown;
    readonly query_weight?: number;
    readonly rescore_query_weight?: number;
    readonly score_mode?: string;
  };
}

/** Parses `rescore`: one pass or several. */
export function parseRescore(json: unknown, context: ParseContext): readonly Rescore[] {
  if (json === undefined || json === null) return [];
  return (Array.isArray(json) ? json : [json]).map((one: unknown) => {
    // Elasticsearch reads on from a value that is no object, and finds the end of the array.
    if (!isPlainObject(one)) throw errors.parsing('unexpected token [END_ARRAY] after [null]');
    if (Object.keys(one).length === 0) throw errors.parsing('missing rescore type');
    return parseOne(one as RescoreJson, context);
  });
}

function parseOne({ window_size: windowSize, query = {} }: RescoreJson, context: ParseContext): Rescore {
  const mode = query.score_mode ?? 'total';
  const combine = SCORE_MODES.get(mode.toLowerCase());
  if (combine === undefined) throw errors.illegalArgument(`illegal score_mode [${mode}]`);
  return {
    windowSize: windowSize === undefined ? WINDOW_SIZE : Number(windowSize),
    query: parseQuery(query.rescore_query, context),
    queryWeight: Math.fround(query.query_weight ?? 1),
    rescoreWeight: Math.fround(query.rescore_query_weight ?? 1),
    scoreMode: mode.toLowerCase(),
    combine,
  };
}

/**
 * Explains the score of a document after rescore passes. `score` tells whether the document was within their windows.
 */
export function explainRescored(
  plan: Plan,
  rescore: readonly Rescore[],
  context: PlanContext,
  doc: number,
  score: number | null,
): Explanation {
  const first = explainSearch(plan, context.searcher, doc);
  const rescored = rescore.reduce((before, pass) => explainPass(before, pass, context, doc), first);
  if (score === null || rescored.value === score || rescore.length === 0) return rescored;
  return rescore.reduce((before, pass) => product(before, pass.queryWeight, 'primaryWeight'), first);
}

function explainPass(first: Explanation, pass: Rescore, context: PlanContext, doc: number): Explanation {
  const second = explainPlan(planQuery(pass.query, context), context.searcher, doc);
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
